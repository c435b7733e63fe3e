/** Limits of a dataset. Each change is said in words before it is sent. */
import { html, Refusal, Table, useAction, useState } from './parts.js';
import { isAmount, isMore, minus, spoken, spokenLimit } from './amounts.js';
import { put, remove } from './api.js';
import { Entry, Send, text, useForm } from './forms.js';
import * as words from './words.js';

const amount = (values) => ({ epsilon: values.epsilon.trim(), delta: text(values.delta) ?? '0' });

/** Whether both members are amounts. */
const isSaid = ({ epsilon, delta }) => isAmount(epsilon) && isAmount(delta);
/** Whether a member is less than another amount's. Under rho, only the service can tell. */
const isBelow = (one, other) => !other.rho && (isMore(other.epsilon, one.epsilon) || isMore(other.delta, one.delta));

const left = (limit, spent) => (spent.rho ? '' : ` Epsilon ${minus(limit.epsilon, spent.epsilon)} will be left.`);

function Amounts({ form, dataset }) {
  return html`<${Entry} form=${form} at="/epsilon" label="Epsilon" inputmode="decimal" />
    ${dataset.accountant !== 'pure' && html`<${Entry} form=${form} at="/delta" label="Delta" />`}`;
}

export function Limit({ dataset, books, place, again }) {
  const { limit, spent } = books;
  const form = useForm({ epsilon: limit.epsilon, delta: limit.delta }, async (values) => {
    await put(`${place}/budget`, amount(values));
    again();
  });
  const next = amount(form.values);
  const changed = isSaid(next) && (next.epsilon !== limit.epsilon || next.delta !== limit.delta);
  const below = changed && isBelow(next, spent);
  return html`<section aria-label="Limit"><h2>Limit ${dataset.blocks ? 'of each block' : 'of the budget'}</h2>
    <p>It is ${spokenLimit(limit)}. Spent ${dataset.blocks ? 'of the block with the most' : 'of it'}:
      ${' '}${spoken(spent, limit)}.
      ${' '}${words.allowed(dataset, limit)}</p>
    <form onSubmit=${form.submit} novalidate><div class="row top"><${Amounts} form=${form} dataset=${dataset} /></div>
      <p aria-live="polite">${!isSaid(next) ? 'Enter a number such as 5 or 0.5.'
        : !changed ? 'Change the number to see what it would mean.'
        : below ? `It cannot be below what is spent, ${spoken(spent)}.`
        : `Limit ${spokenLimit(limit)} → ${spoken(next, limit)}. ${words.allowed(dataset, next)}`
          + left(next, spent)}</p>
      <${Send} form=${form} disabled=${!changed || below}>Set the limit<//></form></section>`;
}

export function Allotments({ dataset, books, place, again }) {
  const form = useForm({ analyst: '', epsilon: '', delta: '0' }, async (values) => {
    await put(`${place}/allotments/${encodeURIComponent(values.analyst.trim())}`, amount(values));
    form.setValues({ analyst: '', epsilon: '', delta: '0' });
    again();
  });
  const next = amount(form.values);
  const analyst = form.values.analyst.trim();
  const own = books.allotments.find((each) => each.analyst === analyst);
  const below = own !== undefined && isSaid(next) && isBelow(next, own.spent);
  const edit = ({ analyst, limit }) => form.setValues({ analyst, epsilon: limit.epsilon, delta: limit.delta });
  return html`<section aria-label="Allotments"><h2>Allotments</h2>
    <p>An allotment is one analyst's ceiling inside the limit. Who has none can spend all that is left.</p>
    ${books.allotments.length > 0 && html`<${Table} caption="Ceilings of single analysts"
      head=${['Analyst', 'Ceiling', 'Spent', 'Left', 'Change']} rows=${books.allotments.map((each) => [
        each.analyst, spokenLimit(each.limit), spoken(each.spent, each.limit), spoken(each.remaining, each.limit),
        html`<button type="button" class="outline small" onClick=${() => edit(each)}>
          Change ${each.analyst}</button>`])} />`}
    <form onSubmit=${form.submit} novalidate>
      <div class="row top"><${Entry} form=${form} at="/analyst" label="Analyst" help="The name of the key." />
        <${Amounts} form=${form} dataset=${dataset} /></div>
      <p aria-live="polite">${analyst !== '' && isSaid(next) && effect(analyst, own, next, books, below)}</p>
      <${Send} form=${form} disabled=${analyst === '' || !isSaid(next) || below}>
        Set the allotment<//></form></section>`;
}

function effect(analyst, own, next, { limit, perBlock }, below) {
  if (below) {
    return `${analyst} has spent ${spoken(own.spent)}. The ceiling cannot be below that.`;
  }
  const change = `${own === undefined ? 'No ceiling' : spokenLimit(own.limit)} → ${spoken(next, limit)}`;
  const then = own === undefined
    ? `What ${analyst} has spent so far counts, and a ceiling below it is refused.`
    : `${analyst} has spent ${spoken(own.spent)}.${left(next, own.spent)}`;
  const idle = isMore(next.epsilon, limit.epsilon) ? ' It is above the limit, which still holds.' : '';
  return `${change}${perBlock ? ' of each block' : ''}. ${then}${idle}`;
}

export function Deletion({ dataset, place }) {
  const [typed, setTyped] = useState('');
  const [busy, problem, end] = useAction(async () => {
    await remove(place);
    location.hash = '#/';
  });
  return html`<section aria-label="Deletion"><h2>Delete the dataset</h2>
    <p>The rows are gone then, and nobody can ask again. The ledger and the answers stay readable. The id is never used
      again.</p>
    <form onSubmit=${(event) => { event.preventDefault(); end(); }}>
      <label>Type ${dataset.id} to delete it
        <input autocomplete="off" value=${typed} onInput=${(event) => setTyped(event.target.value)} /></label>
      <div class="actions">
        <button type="submit" class="secondary" disabled=${typed !== dataset.id || busy} aria-busy=${busy}>
          Delete ${dataset.id}</button></div></form>
    <${Refusal} problem=${problem} /></section>`;
}
