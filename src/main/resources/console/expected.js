/** Shows what would be known, and the price, before anything is spent. */
import { html, Refusal, useAction, useLoaded, useState } from './parts.js';
import { confidence, rounded, shown, spoken, within } from './amounts.js';
import { all, post } from './api.js';
import { KINDS } from './kinds.js';
import { OnScale } from './pictures.js';
import { aggregate } from './sentences.js';
import * as words from './words.js';

/** Shows what would be known, before anything is spent. */
export function Expected({ dataset, asked, question, quote: { value: quote, problem }, free, assumed }) {
  if (problem !== null) {
    return html`<${Refusal} problem=${problem} />`;
  }
  const scale = KINDS[asked.kind].scale(dataset, asked.state);
  const accuracy = free?.accuracy ?? quote?.accuracy;
  const alpha = accuracy?.alpha ?? 0;
  const middle = scale === null ? 0 : (scale[0] + scale[1]) / 2;
  return html`<article><h2>Before you buy</h2>
    <p class="price">${quote === null ? '…' : html`${free
        ? `This was answered on ${words.moment(free.answeredAt ?? free.at)}: ` : assumed
          ? `If ${assumed.words} ${rounded(assumed.rows)} rows or more, ` : ''}
      ${expected(accuracy, free, assumed, question)}
      ${' '}with ${confidence(accuracy.beta)} probability. ${KINDS[asked.kind].groups
        && `Groups: ${rounded(KINDS[asked.kind].groups(dataset, asked.state, asked.blocks))}. `}It costs
      ${' '}<strong>${free ? 'nothing' : spoken(quote.charge, dataset.budget)}</strong>${!free && (quote.charge.rho
        ? `, which is epsilon ${quote.epsilon} of one answer` : '')}${!free && dataset.blocks
          && ' of each block'}.`}</p>
    ${quote !== null && !free && scale !== null && html`<figure>
      <${OnScale} low=${scale[0]} high=${scale[1]} value=${null} faint
        title=${`The width of the interval to expect: ${within(alpha)} to each side`}
        from=${middle - alpha} to=${middle + alpha} />
      <figcaption><small>So wide will the interval be. Where it lies, only the answer says.</small></figcaption>
      </figure>`}
    ${quote !== null && html`${!free && html`<p>${words.guarantee(dataset, quote.charge, quote.books.spent)}</p>`}
      <details><summary>Exactly</summary><p>${accuracy.statement}</p>
        <${Mechanism} name=${quote.mechanism.name} /></details>`}
    ${quote?.freeFrom && html`<${FreeFrom} asked=${asked} question=${question}
      free=${quote.freeFrom} />`}</article>`;
}

/** The catalogue's text about the mechanism that answers. */
function Mechanism({ name }) {
  const { value } = useLoaded(async () => (await all('/v1/mechanisms')).find((each) => each.name === name), [name]);
  return value && html`<p>${name}: ${value.claim}. ${value.reference}.</p>`;
}

/** How near the answer comes; for a table, how near each of its values comes. */
function expected({ alpha, unit, each }, free, assumed, { aggregates }) {
  const is = free ? 'is' : 'will be';
  const [the, every] = free || assumed ? ['the', 'each'] : ['The', 'Each'];
  return each
    ? html`${each.map(({ alpha: own }, i) => html`${i > 0 ? ', each' : every} ${aggregate(aggregates[i])} ${is} within
        ${' '}<strong>±${within(own)}</strong>`)}, all together`
    : html`${the} answer ${is} within <strong>±${within(alpha)}</strong>${unit === 'rank'
      ? ' rows of the exact rank' : ''}`;
}

/** Names a bought synopsis that answers the question for nothing. */
function FreeFrom({ asked, question: { column, edges, probabilities, where }, free }) {
  const [answer, setAnswer] = useState(null);
  const [busy, problem, ask] = useAction(async () => {
    const question = { column, edges, probabilities, where };
    const reply = await post(`/v1/synopses/${free.synopsisId}/answers`, { questions: [{ [asked.kind]: question }] });
    setAnswer(reply.items[0]);
  });
  const values = answer === null ? [] : [
    ...answer.value === null ? [] : [[asked.kind, answer.value, answer.interval]],
    ...(answer.bins ?? []).map((bin) => [bin.category ?? `${bin.lower} to ${bin.upper}`, bin.count, bin.interval]),
    ...(answer.quantiles ?? []).map((each) => [`${each.probability}`, each.value, each.interval])];
  const near = free.alpha ? ` within ±${within(free.alpha)}` : '';
  return html`<p>A synopsis that was bought answers this${near}, for nothing.
      <button class="outline small" aria-busy=${busy} onClick=${ask}>Show that answer</button></p>
    <${Refusal} problem=${problem} />
    ${values.length > 0 && html`<ul>${values.map(([label, value, interval]) => {
      const text = shown({ value, ...interval });
      return html`<li>${label}: ${text.value} (${text.low} to ${text.high})</li>`;
    })}</ul>`}`;
}
