/** The page to ask: the price follows the form, and the answer is shown beside the form. */
import { html, useEffect, useRef, useState, BudgetBar, Loaded, Select, Text, useLoaded } from './parts.js';
import { decimal, exact, isAmount, isMore, rhoOf, rounded } from './amounts.js';
import { get, may, post, Problem, self, stored } from './api.js';
import { Answer } from './answer.js';
import { DatasetHead } from './ask-tabs.js';
import { Basket, Buy } from './buy.js';
import { Expected } from './expected.js';
import { Where } from './filters.js';
import { Further, kindsFor, KINDS } from './kinds.js';
import { booksFor, useQuote } from './quotes.js';
import { asked as sentence } from './sentences.js';
import * as words from './words.js';

/** Epsilons on the slider: round numbers, so that the shown amount is exact. */
const ROUND = ['0.001', '0.01', '0.1', '1', '10'].flatMap((power) => ['1', '1.5', '2', '3', '4', '5', '7'].map(
  (times) => decimal(exact(times) * exact(power) / exact('1'))));

export function Page({ parts: [id] }) {
  const loaded = useLoaded(() => get(`/v1/datasets/${id}`), [id]);
  return html`<${Loaded} of=${loaded}>${(dataset) => html`
    <${DatasetHead} id=${id} place="" dataset=${dataset} />
    <p>${words.protection(dataset)}</p>
    ${dataset.state !== 'ready'
      ? html`<p><span class="state">${words.STATES[dataset.state]}</span> Questions are possible once the rows are
          loaded.</p>`
      : may('analyst', 'viewer')
        ? html`<${Ask} dataset=${dataset} />`
        : html`<p>A key of the role ${self.role} asks no questions.</p>`}`}<//>`;
}

/** The question as it is sent, without its price. */
function request(dataset, asked) {
  return {
    ...KINDS[asked.kind].request(dataset, asked.state), ...asked.further,
    ...asked.where.length > 0 ? { where: asked.where } : {},
    ...dataset.blocks ? { blocks: asked.blocks } : {},
    ...dataset.accountant === 'approximate' && asked.delta !== '0' ? { delta: asked.delta } : {},
  };
}

/** The address is changed after this time without a change of the form: browsers refuse too many changes. */
const ADDRESS_MILLIS = 300;

/** The form and the basket of each dataset, while this tab is open. */
const kept = new Map();

/** The question that the address has, so that a reload keeps it; null if it makes no sense now. */
function fromAddress(dataset) {
  try {
    const asked = JSON.parse(decodeURIComponent(location.hash.split('?asked=')[1]));
    return kindsFor(dataset).some(([kind]) => kind === asked.kind) && request(dataset, asked) ? asked : null;
  } catch {
    return null;
  }
}

/** The form of a dataset and its basket: [asked, set, basket, setBasket]. */
function useAsked(dataset, first) {
  const [state, setState] = useState(() => {
    const before = kept.get(dataset.id);
    return { asked: fromAddress(dataset) ?? before?.asked ?? first(), basket: before?.basket ?? [] };
  });
  // Kept at once and not after the page was drawn, because a person may leave the page before.
  const change = (next) => setState((now) => {
    kept.set(dataset.id, { ...now, ...next(now) });
    return kept.get(dataset.id);
  });
  useEffect(() => {
    const text = encodeURIComponent(JSON.stringify(state.asked));
    const place = `#/datasets/${dataset.id}`;
    // If a person followed a link meanwhile, the address stays. The next page may not be drawn yet.
    const wait = setTimeout(() => location.hash.split('?')[0] === place
      && history.replaceState(null, '', `${place}?asked=${text}`), ADDRESS_MILLIS);
    return () => clearTimeout(wait);
  }, [state]);
  return [state.asked, (changes) => change(({ asked }) => ({ asked: { ...asked, ...changes } })),
    state.basket, (basket) => change(() => ({ basket }))];
}

function Ask({ dataset }) {
  const kinds = kindsFor(dataset);
  const begin = (kind) => ({ kind, state: KINDS[kind].start(dataset), further: {} });
  const [asked, set, basket, setBasket] = useAsked(dataset, () => ({
    ...begin(kinds[0][0]), where: [], by: 'epsilon', epsilon: '0.1', alpha: '', delta: '0', rows: '',
    blocks: { latest: 1 },
  }));
  const [bought, setBought] = useState({ times: 0, answers: [] });
  const answers = useRef(null);
  useEffect(() => { bought.times > 0 && answers.current?.scrollIntoView({ block: 'nearest' }); }, [bought]);
  const asking = request(dataset, asked);
  const price = asked.by === 'epsilon' ? { epsilon: asked.epsilon } : { targetAlpha: Number(asked.alpha) };
  const assumed = assumption(dataset, asked);
  const place = `/v1/datasets/${dataset.id}/${KINDS[asked.kind].path ?? `queries/${asked.kind}`}`;
  const wanted = [asked.kind, { ...asking, ...price, ...assumed && { assumedRows: assumed.rows } }];
  const quote = useQuote([...wanted, bought.times], async (signal) => {
    const missing = unticked(asked, asking);
    if (missing !== null) {
      throw new Problem({ title: missing });
    }
    const [quoted, books] = await Promise.all([
      post(`/v1/datasets/${dataset.id}/quotes/${asked.kind}`, wanted[1], { signal }),
      booksFor(dataset, asking.blocks, { signal })]);
    return { ...quoted, books, free: await stored(place, { ...asking, epsilon: quoted.epsilon }, { signal }) };
  });
  const sent = { ...asking, epsilon: quote.value?.epsilon, reuse: true };
  const free = quote.value?.free ?? null;
  const books = useRef(null);
  books.current = quote.value?.books ?? books.current;
  const onBought = (answers) => setBought(({ times }) => ({ times: times + 1, answers }));
  return html`<div><div class="columns">
    <section aria-label="The question">
      <${Select} label="What do you want to know?" value=${asked.kind} onChange=${(kind) => set(begin(kind))}
        options=${kinds.map(([kind, { title }]) => [kind, title])} />
      ${KINDS[asked.kind].fields({
        dataset, state: asked.state, set: (changes) => set({ state: { ...asked.state, ...changes } }) })}
      ${dataset.blocks && html`<${Blocks} dataset=${dataset} value=${asked.blocks}
        onChange=${(blocks) => set({ blocks })} />`}
      <${Where} dataset=${dataset} value=${asked.where} onChange=${(where) => set({ where })} />
      <${Further} kind=${asked.kind} value=${asked.further} onChange=${(further) => set({ further })} />
      <${Price} dataset=${dataset} asked=${asked} set=${set} quote=${quote.value} free=${free}
        assumed=${assumed} books=${books.current} />
    </section>
    <section aria-label="The answer" aria-live="polite">
      <${Expected} dataset=${dataset} asked=${asked} question=${asking} quote=${quote} free=${free}
        assumed=${assumed} />
      ${basket.length > 0 && html`<${Basket} dataset=${dataset} items=${basket} round=${bought.times}
        onChange=${setBasket} onBought=${onBought} />`}
      <div ref=${answers}>${bought.answers.map((envelope) => html`<${Answer} key=${envelope.queryId}
        dataset=${dataset} envelope=${envelope} />`)}</div>
    </section></div>
    <section class="buy" aria-label="What is asked"><strong>${sentence(asked.kind, asking)}</strong>
      <${Buy} key=${JSON.stringify(wanted)} dataset=${dataset} asked=${asked} place=${place} sent=${sent}
        quote=${quote.value} free=${free} onBought=${onBought}
        toBasket=${(item) => setBasket([...basket, item])} /></section>
  </div>`;
}

function Blocks({ dataset: { blocks: { column, first } }, value, onChange }) {
  const latest = value.latest !== undefined;
  return html`<fieldset class="part"><legend>Blocks of ${column}</legend>
    <div class="row"><${Select} label="Which" value=${latest ? 'latest' : 'window'}
      options=${[['latest', 'the newest ones'], ['window', 'from … to …']]}
      onChange=${(which) => onChange(which === 'latest' ? { latest: 1 } : { from: first, to: first })} />
    ${latest
      ? html`<${Text} label="How many" type="number" min="1" value=${value.latest}
          onChange=${(count) => onChange({ latest: Number(count) })} />`
      : ['from', 'to'].map((end) => html`<${Text} label=${end} value=${value[end]}
          onChange=${(label) => onChange({ ...value, [end]: label })} />`)}
    </div><small>Each of these blocks pays the whole price.</small></fieldset>`;
}

/** Whether an answer with this epsilon fits. */
const fits = (epsilon, { rho, ...left }) => (rho ? !isMore(rhoOf(epsilon), rho) : !isMore(epsilon, left.epsilon));

function Price({ dataset, asked, set, quote, free, assumed, books }) {
  const affordable = books ? ROUND.filter((epsilon) => fits(epsilon, books.remaining)) : [];
  const steps = affordable.length > 0 ? affordable : ROUND.filter((epsilon) => fits(epsilon, dataset.budget));
  const typed = isAmount(asked.epsilon) ? asked.epsilon : '0';
  const at = Math.max(0, steps.findLastIndex((epsilon) => !isMore(epsilon, typed)));
  return html`<fieldset class="part"><legend>The price</legend>
    ${asked.by === 'epsilon' && steps.length > 1 && html`<label>More privacy spent, less error
      <input type="range" min="0" max=${steps.length - 1} value=${at} aria-valuetext=${`epsilon ${asked.epsilon}`}
        onInput=${(event) => set({ epsilon: steps[Number(event.target.value)] })} /></label>`}
    <div class="row">
      <${Select} label="Set" value=${asked.by} options=${[['epsilon', 'the price'], ['alpha', 'the error']]}
        onChange=${(by) => set({ by, alpha: String(Number((quote?.accuracy.alpha ?? 1).toPrecision(3))) })} />
      ${asked.by === 'epsilon'
        ? html`<${Text} label="Epsilon" inputmode="decimal" value=${asked.epsilon}
            onChange=${(epsilon) => set({ epsilon: epsilon.trim() })} />`
        : html`<${Text} label="Within ±" type="number" step="any" value=${asked.alpha}
            onChange=${(alpha) => set({ alpha })} />`}
      ${dataset.accountant === 'approximate' && html`<${Text} label="Delta" value=${asked.delta}
        onChange=${(delta) => set({ delta: delta.trim() })} />`}
    </div>
    <p><small>${words.sensible(dataset, asked.delta)}</small></p>
    ${assumed && html`<${Text} label=${assumed.label} type="number" min="1"
      value=${asked.rows} placeholder=${`as many as there may be: ${rounded(assumed.most)}`}
      help="The error depends on it. It is assumed, not read from the data." onChange=${(rows) => set({ rows })} />`}
    ${books && html`<${BudgetBar} books=${books} next=${free ? null : quote?.charge ?? null} />`}</fieldset>`;
}

/** The assumed number of rows, in words and as it is sent, if the error depends on the number of rows. */
function assumption(dataset, { kind, state, blocks, rows }) {
  const of = KINDS[kind].assumes?.(state);
  if (!of) {
    return null;
  }
  const most = Math.max(1, Math.floor(dataset.maxRows / (KINDS[kind].groups?.(dataset, state, blocks) ?? 1)));
  return { label: of[0], words: of[1], most, rows: rows === '' ? most : Number(rows) };
}

/** What the form still needs for a question; null if it has a question. */
function unticked({ kind, state, where }, { groupBy = [], columns = [], edges, ranges, queries }) {
  const empty = where.find((condition) => (condition.in ?? condition.notIn)?.length === 0);
  const uncut = [...groupBy, ...columns].find((each) => each.edges?.length === 0)
    ?? ([edges, ranges, queries].some((each) => each?.length === 0) ? state : null);
  return kind === 'synopsis' && state.columns.length === 0 ? 'Tick the columns of the synopsis.'
    : empty ? `Tick the values of ${empty.column} that ${empty.in ? 'count' : 'are left out'}.`
    : uncut ? `Say how ${uncut.column} is divided.` : null;
}
