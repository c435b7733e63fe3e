/** Quotes: the price of what a form asks for, and the budget that it would be paid from. */
import { useEffect, useRef, useState } from './parts.js';
import { get } from './api.js';
import { labels } from './blocks.js';

/** At most so often is a quote asked for while a form changes. */
const QUOTE_MILLIS = 350;

/**
 * Loads a quote while the form changes: at most one each moment, and none is shown for another question.
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

/** The budget as a question finds it now: of the dataset, or of the block of its window that has spent the most. */
export async function booksFor(dataset, blocks, options) {
  const place = `/v1/datasets/${dataset.id}`;
  if (!dataset.blocks) {
    return get(`${place}/budget`, options);
  }
  const window = blocks.latest === undefined
    ? new URLSearchParams(blocks) : await newest(dataset, blocks.latest, options);
  return get(`${place}/budget?${window}`, options);
}

/** The newest ready blocks; where others lie between them, those are with them. */
async function newest(dataset, count, options) {
  const { items } = await get(`/v1/datasets/${dataset.id}/blocks`, options);
  const ready = items.filter(({ state }) => state === 'ready').flatMap((run) => labels(dataset.blocks, run));
  return ready.length === 0 ? '' : new URLSearchParams({ from: ready.at(-count) ?? ready[0], to: ready.at(-1) });
}
