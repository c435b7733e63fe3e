/** Under an answer that can be refined: the price of a sharper answer, and the sharper answer beside it. */
import { html, useState, Refusal, useAction, useLoaded } from './parts.js';
import { plus, rounded, shown, spoken, within } from './amounts.js';
import { may, once, post } from './api.js';
import { Bars } from './pictures.js';

/** The kinds of answers that are measured. A quote of the service says whether an answer can be refined. */
const MEASURED = ['count', 'sum', 'mean', 'histogram', 'aggregate', 'synopsis'];

/** Steps of the slider: from a tenth of what the answer cost to ten times that. */
const STEPS = 20;

/** An epsilon of two digits, as a plain decimal. */
function epsilonAt(step, before) {
  const epsilon = Math.max(1e-6, Number(before) * 10 ** ((2 * step) / STEPS - 1));
  return epsilon.toFixed(Math.max(0, Math.min(9, 1 - Math.floor(Math.log10(epsilon)))));
}

export function Sharper({ dataset, envelope, rowsOf, Answer }) {
  const { kind, question, queryId } = envelope;
  return may('analyst') && MEASURED.includes(kind) && question.method !== 'auto-clip'
    ? html`<${Offered} key=${queryId} dataset=${dataset} envelope=${envelope} rowsOf=${rowsOf} Answer=${Answer} />`
    : null;
}

/** What a quote assumes of the rows, in words; null if nothing: then the answer's own error can be compared with it. */
function assumed({ maxRows }, { kind, question, answer }) {
  if (kind === 'mean') {
    return `If there are ${rounded(maxRows)} rows`;
  }
  return kind !== 'aggregate' || question.aggregates.every((each) => each.count || each.sum) ? null
    : `If each group has ${rounded(Math.max(1, Math.floor(maxRows / answer.groups.length)))} rows or more`;
}

function Offered({ dataset, envelope, rowsOf, Answer }) {
  const { question, datasetId, accuracy } = envelope;
  const answered = envelope.reusedFrom ?? envelope.queryId;
  const [step, setStep] = useState(STEPS / 2);
  const [better, setBetter] = useState(null);
  const more = epsilonAt(step, question.epsilon);
  const condition = assumed(dataset, envelope);
  const { value: quote, problem: refusal } = useLoaded(
    () => post(`/v1/datasets/${datasetId}/quotes/refinement`, { queryId: answered, epsilon: more }), [answered, more]);
  const [busy, problem, refine] = useAction(async () =>
    setBetter(await once(`/v1/queries/${answered}/refinements`, { epsilon: more })));
  if (better !== null) {
    const before = rowsOf(envelope);
    return html`${before.length > 0 && html`<${Both} before=${before} after=${rowsOf(better)} />`}
      <p role="status">Both answers together cost epsilon ${better.guarantee.epsilon}.</p>
      <${Answer} dataset=${dataset} envelope=${better} />`;
  }
  if (refusal !== null && refusal.slug !== 'validation-failed') {
    return null; // The answer was refined before, or cannot be refined.
  }
  return html`<fieldset class="sharper"><legend>Make this sharper</legend>
    <label>Epsilon in addition: ${more}
      <input type="range" min="0" max=${STEPS} value=${step} aria-valuetext=${`epsilon ${more}`}
        onInput=${(event) => setStep(Number(event.target.value))} /></label>
    <p aria-live="polite">${quote === null ? 'Its price is being looked up.' : html`
      ${condition === null ? 'Within' : `${condition}, within`} ±${within(quote.accuracy.alpha)}
      ${condition === null && ` in place of ±${within(accuracy.alpha)}`}, for ${
        spoken(quote.charge, dataset.budget)}; ${plus(question.epsilon, more)} in all.
      ${quote.affordable ? '' : ' This is more than what is left.'}`}</p>
    <button class="secondary" aria-busy=${busy} disabled=${quote === null || !quote.affordable}
      onClick=${refine}>Make it sharper</button>
    <${Refusal} problem=${problem} /></fieldset>`;
}

/** The old interval of each value and the new one below it. */
function Both({ before, after }) {
  const rows = before.flatMap((old, i) => [
    { ...old, label: `${old.label}, before`, series: 1 }, { ...after[i], label: `${after[i].label}, now`, series: 0 }]);
  return html`<figure><figcaption>Before and now: ${shown(before[0]).value} and ${shown(after[0]).value}</figcaption>
    <${Bars} title="Before and now" rows=${rows} /></figure>`;
}
