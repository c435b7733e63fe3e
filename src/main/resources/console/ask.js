/** Asking: the price moves with the form, the answer stands beside it. */
import {
  html, useEffect, useRef, useState, BudgetBar, Loaded, Refusal, Select, Text, useAction, useLoaded,
} from './parts.js';
import {
  confidence, decimal, exact, isAmount, isMore, minus, rhoOf, rounded, shown, spoken, within,
} from './amounts.js';
import { all, get, may, once, post, Problem, self, stored } from './api.js';
import { Answer } from './answer.js';
import { DatasetHead } from './ask-tabs.js';
import { labels } from './blocks.js';
import { Further, kindsFor, KINDS, Where } from './kinds.js';
import { OnScale } from './pictures.js';
import * as words from './words.js';

/** Epsilons on the slider: round numbers, so that an amount is what it shows. */
const ROUND = ['0.001', '0.01', '0.1', '1', '10'].flatMap((power) => ['1', '1.5', '2', '3', '4', '5', '7'].map(
  (times) => decimal(exact(times) * exact(power) / exact('1'))));

/** At most so often is a quote asked for while a form changes. */
const QUOTE_MILLIS = 350;

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

/**
 * Loads a quote while the form changes: at most one each moment, and none is shown for another question.
 *
 * @param asked what the quote is for; another text asks for another quote
 */
function useQuote(asked, load) {
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

/** The question as it is sent, without its price. */
function request(dataset, asked) {
  return {
    ...KINDS[asked.kind].request(dataset, asked.state), ...asked.further,
    ...asked.where.length > 0 ? { where: asked.where } : {},
    ...dataset.blocks ? { blocks: asked.blocks } : {},
    ...dataset.accountant === 'approximate' && asked.delta !== '0' ? { delta: asked.delta } : {},
  };
}

/** The budget as a question finds it now: of the dataset, or of the block of its window that has spent the most. */
async function booksFor(dataset, blocks, options) {
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

function Ask({ dataset }) {
  const kinds = kindsFor(dataset);
  const begin = (kind) => ({ kind, state: KINDS[kind].start(dataset), further: {} });
  const [asked, setAsked] = useState({
    ...begin(kinds[0][0]), where: [], by: 'epsilon', epsilon: '0.1', alpha: '', delta: '0', rows: '',
    blocks: { latest: 1 },
  });
  const set = (changes) => setAsked({ ...asked, ...changes });
  const [bought, setBought] = useState({ times: 0, answers: [] });
  const [basket, setBasket] = useState([]);
  const asking = request(dataset, asked);
  const price = asked.by === 'epsilon' ? { epsilon: asked.epsilon } : { targetAlpha: Number(asked.alpha) };
  const assumed = assumption(dataset, asked);
  const place = `/v1/datasets/${dataset.id}/${KINDS[asked.kind].path ?? `queries/${asked.kind}`}`;
  const wanted = [asked.kind, { ...asking, ...price, ...assumed && { assumedRows: assumed.rows } }];
  const quote = useQuote([...wanted, bought.times], async (signal) => {
    const missing = unticked(asked);
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
  return html`<div class="columns">
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
      <${Expected} dataset=${dataset} asked=${asked} quote=${quote} free=${free} assumed=${assumed} />
      <${Buy} key=${JSON.stringify(wanted)} dataset=${dataset} asked=${asked} place=${place} sent=${sent}
        quote=${quote.value} free=${free} onBought=${onBought}
        toBasket=${(item) => setBasket([...basket, item])} />
      ${basket.length > 0 && html`<${Basket} dataset=${dataset} items=${basket} round=${bought.times}
        onChange=${setBasket} onBought=${onBought} />`}
      ${bought.answers.map((envelope) => html`<${Answer} key=${envelope.queryId} dataset=${dataset}
        envelope=${envelope} />`)}
    </section>
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
    ${assumed && html`<${Text} label=${assumed.label} type="number" min="1"
      value=${asked.rows} placeholder=${`as many as there may be: ${rounded(assumed.most)}`}
      help="The error depends on it. It is assumed, not read from the data." onChange=${(rows) => set({ rows })} />`}
    ${books && html`<${BudgetBar} books=${books} next=${free ? null : quote?.charge ?? null} />`}</fieldset>`;
}

/** What would be known, before anything is spent. */
function Expected({ dataset, asked, quote: { value: quote, problem }, free, assumed }) {
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
          ? `If ${assumed.words} ${rounded(assumed.rows)} rows or more, ` : ''}${expected(accuracy, free, assumed)}
      ${' '}with ${confidence(accuracy.beta)} probability. ${KINDS[asked.kind].groups
        && `Groups: ${rounded(KINDS[asked.kind].groups(dataset, asked.state, asked.blocks))}. `}It costs
      ${' '}<strong>${free ? 'nothing' : spoken(quote.charge, dataset.budget)}</strong>${!free && (quote.charge.rho
        ? `, which is epsilon ${quote.epsilon} of one answer` : '')}${!free && dataset.blocks
          && ' of each block'}.`}</p>
    ${quote !== null && scale !== null && html`<${OnScale} low=${scale[0]} high=${scale[1]} value=${null} faint
      title=${`The width of the interval to expect: ${within(alpha)} to each side`}
      from=${middle - alpha} to=${middle + alpha} />`}
    ${quote !== null && html`${!free && html`<p>${words.guarantee(dataset, quote.charge, quote.books.spent)}</p>`}
      <details><summary>Exactly</summary><p>${accuracy.statement}</p>
        <${Mechanism} name=${quote.mechanism.name} /></details>`}
    ${quote?.freeFrom && html`<${FreeFrom} asked=${asked} question=${request(dataset, asked)}
      free=${quote.freeFrom} />`}</article>`;
}

/** What the catalogue says of the mechanism that answers. */
function Mechanism({ name }) {
  const { value } = useLoaded(async () => (await all('/v1/mechanisms')).find((each) => each.name === name), [name]);
  return value && html`<p>${name}: ${value.claim}. ${value.reference}.</p>`;
}

/** Where the error depends on how many rows there are: what is assumed of that, said in words and sent. */
function assumption(dataset, { kind, state, blocks, rows }) {
  const of = KINDS[kind].assumes?.(state);
  if (!of) {
    return null;
  }
  const most = Math.max(1, Math.floor(dataset.maxRows / (KINDS[kind].groups?.(dataset, state, blocks) ?? 1)));
  return { label: of[0], words: of[1], most, rows: rows === '' ? most : Number(rows) };
}

/** What nobody has ticked yet, without which there is no question; null if there is one. */
function unticked({ kind, state, where }) {
  const empty = where.find((condition) => condition.in?.length === 0);
  return kind === 'synopsis' && state.columns.length === 0 ? 'Tick the columns of the synopsis.'
    : empty ? `Tick the values of ${empty.column} that count.` : null;
}

/** How near the answer comes; of a table, each of its values. */
function expected({ alpha, unit, each }, free, assumed) {
  const is = free ? 'is' : 'will be';
  const [the, every] = free || assumed ? ['the', 'each'] : ['The', 'Each'];
  return each
    ? html`${each.map(({ name, alpha: own }, i) => html`${i > 0 ? ', each' : every} ${name} ${is} within
        ${' '}<strong>±${within(own)}</strong>`)}, all together`
    : html`${the} answer ${is} within <strong>±${within(alpha)}</strong>${unit === 'rank'
      ? ' rows of the exact rank' : ''}`;
}

/** A synopsis that was bought answers this for nothing. */
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

function Buy({ dataset, asked, place, sent, quote, free, onBought, toBasket }) {
  const [busy, problem, buy] = useAction(async () => onBought([await once(place, sent)]));
  if (free || !may('analyst')) {
    return html`<div class="actions">
        <button disabled=${!free} onClick=${() => onBought([free])}>Show the stored answer</button>
        <span>${free ? 'Costs nothing.'
          : `A viewer’s key spends nothing${quote === null ? '' : ', and this was not asked yet'}.`}</span></div>`;
  }
  return html`<div class="actions">
      <button disabled=${busy || quote === null || !quote.affordable} aria-busy=${busy} onClick=${buy}>
        ${quote === null ? 'Ask' : `Ask for ${spoken(quote.charge, dataset.budget)}`}</button>
      ${asked.kind !== 'synopsis' && html`<button class="outline" disabled=${quote === null}
        onClick=${() => toBasket({ kind: asked.kind, request: sent })}>Add to the basket</button>`}
      ${quote !== null && html`<span>${quote.affordable ? `Leaves ${after(quote)}.`
        : html`Too much: ${spoken(quote.books.remaining, dataset.budget)} left. What was answered stays free in the
          ${' '}<a href=${`#/datasets/${dataset.id}/history`}>history</a>.${quote.blocks
            && ` Blocks that cannot pay: ${quote.blocks.map(words.window).join(', ')}.`}`}</span>`}
    </div>
    <${Refusal} problem=${problem} again=${problem?.slug === 'offline' ? buy : null} />`;
}

/** What a charge leaves; where rho decides, the service says the epsilon of the rest after the answer. */
const after = ({ books: { remaining }, charge }) => (remaining.rho
  ? `rho ${minus(remaining.rho, charge.rho)}`
  : spoken({ epsilon: minus(remaining.epsilon, charge.epsilon), delta: minus(remaining.delta, charge.delta) },
    remaining));

/** Questions that are bought at once: all of them or none. */
function Basket({ dataset, items, round, onChange, onBought }) {
  const plan = { questions: items };
  const { value: quote, problem: refused } = useQuote([plan, round],
    (signal) => post(`/v1/datasets/${dataset.id}/quotes`, plan, { signal }));
  const [busy, problem, buy] = useAction(async () => {
    const { items: envelopes } = await once(`/v1/datasets/${dataset.id}/queries`, plan);
    onChange([]);
    onBought(envelopes);
  });
  return html`<article><h2>Basket</h2>
    <ol>${items.map((item, i) => html`<li>${KINDS[item.kind].title}${item.request.column
        && `: ${item.request.column}`}, ${quote === null ? '…' : spoken(quote.items[i].charge, dataset.budget)}
      ${' '}<button class="outline small" aria-label=${`Remove ${KINDS[item.kind].title}`}
        onClick=${() => onChange(items.filter((other) => other !== item))}>Remove</button></li>`)}</ol>
    <${Refusal} problem=${problem ?? refused} again=${problem?.slug === 'offline' ? buy : null} />
    <button disabled=${busy || quote === null || !quote.affordable} aria-busy=${busy} onClick=${buy}>
      ${quote === null ? 'Buy all' : `Buy all for ${spoken(quote.charge, dataset.budget)}`}</button>
    ${' '}<small>${quote?.affordable === false ? 'The budget does not allow all of them.'
      : 'All or none. What is stored already costs nothing.'}</small></article>`;
}
