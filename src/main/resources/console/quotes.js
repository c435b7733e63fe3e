/** Quotes: the price of what a form asks for, and the budget that it would be paid from. */
import { useEffect, useRef, useState } from './parts.js';
import { get } from './api.js';
import { labels } from './blocks.js';

/** The least time between two quotes while a form changes. */
const QUOTE_MILLIS = 350;

/**
 * Loads a quote while the form changes: not too often, and never showing the quote of another question.
 *
 * @param asked what the quote is for; another text asks for another quote
 */
export function useQuote(asked, load) {
  const text = JSON.stringify(asked);
  const [quote, setQuote] = useState({ text: null, value: null, problem: null });
  const sent = useRef({ at: 0, abort: new AbortController() });
  useEffect(() => {
    const wait = setTimeout(async () => {
      sent.current.abort.abort();
      const abort = new AbortController();
      sent.current = { at: Date.now(), abort };
      try {
        setQuote({ text, value: await load(abort.signal), problem: null });
      } catch (problem) {
        if (problem.name !== 'AbortError') {
          setQuote({ text, value: null, problem });
        }
      }
    }, Math.max(0, sent.current.at + QUOTE_MILLIS - Date.now()));
    return () => clearTimeout(wait);
  }, [text]);
  return quote.text === text ? quote : { value: null, problem: null };
}

/** The present budget for a question: of the dataset, or of the block of its window in which the most is spent. */
export async function booksFor(dataset, blocks, options) {
  const place = `/v1/datasets/${dataset.id}`;
  if (!dataset.blocks) {
    return get(`${place}/budget`, options);
  }
  const window = blocks.latest === undefined
    ? new URLSearchParams(blocks) : await newest(dataset, blocks.latest, options);
  return get(`${place}/budget?${window}`, options);
}

/** The range of the newest ready blocks, with any other blocks that lie between them. */
async function newest(dataset, count, options) {
  const { items } = await get(`/v1/datasets/${dataset.id}/blocks`, options);
  const ready = items.filter(({ state }) => state === 'ready').flatMap((run) => labels(dataset.blocks, run));
  return ready.length === 0 ? '' : new URLSearchParams({ from: ready.at(-count) ?? ready[0], to: ready.at(-1) });
}
