/** Buying: one question, or a basket of them. */
import { html, Refusal, useAction } from './parts.js';
import { minus, spoken } from './amounts.js';
import { may, once, post } from './api.js';
import { useQuote } from './quotes.js';
import { asked as sentence } from './sentences.js';
import * as words from './words.js';

/** A price as the form's field has it. Under zcdp the rho, which adds up, is shown beside it. */
const price = ({ charge, epsilon }, dataset) => (charge.rho && epsilon
  ? `epsilon ${epsilon} (rho ${charge.rho})` : spoken(charge, dataset.budget));

export function Buy({ dataset, asked, place, sent, quote, free, onBought, toBasket }) {
  const [busy, problem, buy] = useAction(async () => onBought([await once(place, sent)]));
  if (free || !may('analyst')) {
    return html`<div class="actions">
        <button disabled=${!free} onClick=${() => onBought([free])}>Show the stored answer</button>
        <span>${free ? 'Costs nothing.'
          : `A viewer’s key spends nothing${quote === null ? '' : ', and this was not asked yet'}.`}</span></div>`;
  }
  return html`<div class="actions">
      <button disabled=${busy || quote === null || !quote.affordable} aria-busy=${busy} onClick=${buy}>
        ${quote === null ? 'Ask' : `Ask for ${price(quote, dataset)}`}</button>
      ${asked.kind !== 'synopsis' && html`<button class="outline" disabled=${quote === null}
        onClick=${() => toBasket({ kind: asked.kind, request: sent })}>Add to the basket</button>`}
      ${quote !== null && html`<span>${quote.affordable ? `Leaves ${after(quote)}.`
        : html`Too much: ${spoken(quote.books.remaining, dataset.budget)} left. What was answered stays free in the
          ${' '}<a href=${`#/datasets/${dataset.id}/history`}>history</a>.${quote.blocks
            && ` Blocks that cannot pay: ${quote.blocks.map(words.window).join(', ')}.`}`}</span>`}
    </div>
    <${Refusal} problem=${problem} again=${problem?.slug === 'offline' ? buy : null} />`;
}

/** What a charge leaves. Under rho, the service states the epsilon of the rest after the answer. */
const after = ({ books: { remaining }, charge }) => (remaining.rho
  ? `rho ${minus(remaining.rho, charge.rho)}`
  : spoken({ epsilon: minus(remaining.epsilon, charge.epsilon), delta: minus(remaining.delta, charge.delta) },
    remaining));

/** Questions that are bought at once: all of them or none. */
export function Basket({ dataset, items, round, onChange, onBought }) {
  const plan = { questions: items };
  const { value: quote, problem: refused } = useQuote([plan, round],
    (signal) => post(`/v1/datasets/${dataset.id}/quotes`, plan, { signal }));
  const [busy, problem, buy] = useAction(async () => {
    const { items: envelopes } = await once(`/v1/datasets/${dataset.id}/queries`, plan);
    onChange([]);
    onBought(envelopes);
  });
  return html`<article><h2>Basket</h2>
    <ol>${items.map((item, i) => html`<li>${sentence(item.kind, item.request)}, ${quote === null ? '…'
        : spoken(quote.items[i].charge, dataset.budget)}
      ${' '}<button class="outline small" aria-label=${`Remove ${sentence(item.kind, item.request)}`}
        onClick=${() => onChange(items.filter((other) => other !== item))}>Remove</button></li>`)}</ol>
    <${Refusal} problem=${problem ?? refused} again=${problem?.slug === 'offline' ? buy : null} />
    <button disabled=${busy || quote === null || !quote.affordable} aria-busy=${busy} onClick=${buy}>
      ${quote === null ? 'Buy all' : `Buy all for ${spoken(quote.charge, dataset.budget)}`}</button>
    ${' '}<small>${quote?.affordable === false ? 'The budget does not allow all of them.'
      : 'All or none. What is stored already costs nothing.'}</small></article>`;
}
