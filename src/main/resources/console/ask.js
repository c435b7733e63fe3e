/** Asking: the price moves with the form, the answer stands beside it. */
import {
  html, useEffect, useRef, useState, BudgetBar, Heading, Loaded, Refusal, Select, Text, useAction, useLoaded,
} from './parts.js';
import { deciding, exact, isMore, percent, plus, rounded, spoken } from './amounts.js';
import { all, freshKey, get, may, post, self } from './api.js';
import { Answer } from './answer.js';
import { DatasetTabs } from './ask-tabs.js';
import { Further, kindsFor, KINDS, Where } from './kinds.js';
import { OnScale } from './pictures.js';
import * as words from './words.js';

/** Epsilons on the slider: round numbers, so that an amount is what it shows. */
const ROUND = ['0.001', '0.01', '0.1', '1', '10'].flatMap((power) =>
  ['1', '1.5', '2', '3', '4', '5', '7'].map((times) => product(times, power)));

function product(times, power) {
  const units = (exact(times) * exact(power)) / 10n ** 18n;
  return plus('0', String(Number(units) / 1e18));
}

/** At most so often is a quote asked for while a form changes. */
const QUOTE_MILLIS = 350;

export function Page({ parts: [id] }) {
  const loaded = useLoaded(async () => {
    const [dataset, budget, synopses] = await Promise.all([
      get(`/v1/datasets/${id}`), get(`/v1/datasets/${id}/budget`), get(`/v1/datasets/${id}/synopses`)]);
    return { ...dataset, books: budget, synopses: synopses.items };
  }, [id]);
  return html`<${Loaded} of=${loaded}>${(dataset) => html`
    <${Heading}>${dataset.title ?? dataset.id}<//>
    <p>${words.protection(dataset)}</p>
    <${DatasetTabs} id=${id} current=${`#/datasets/${id}`} />
    ${dataset.state !== 'ready'
      ? html`<p>The dataset is ${words.STATES[dataset.state]}. Questions are possible once its rows are loaded.</p>`
      : may('analyst', 'viewer')
        ? html`<${Ask} dataset=${dataset} again=${loaded.again} />`
        : html`<p>A key of the role ${self.role} asks no questions.</p>`}`}<//>`;
}

/** Asks for quotes while the form changes: at most one each moment, and none is shown for another question. */
function useQuote(path, request) {
  const text = JSON.stringify([path, request]);
  const [quote, setQuote] = useState({ text: null, value: null, problem: null });
  const sent = useRef({ at: 0, abort: new AbortController() });
  useEffect(() => {
    const wait = setTimeout(async () => {
      sent.current.abort.abort();
      const abort = new AbortController();
      sent.current = { at: Date.now(), abort };
      try {
        setQuote({ text, value: await post(path, request, { signal: abort.signal }), problem: null });
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

function Ask({ dataset, again }) {
  const kinds = kindsFor(dataset);
  const begin = (kind) => ({ kind, state: KINDS[kind].start(dataset), further: {} });
  const [asked, setAsked] = useState({
    ...begin(kinds[0][0]), where: [], by: 'epsilon', epsilon: '0.1', alpha: '', delta: '0', blocks: { latest: 1 },
  });
  const set = (changes) => setAsked({ ...asked, ...changes });
  const [answers, setAnswers] = useState([]);
  const [basket, setBasket] = useState([]);
  const asking = request(dataset, asked);
  const price = asked.by === 'epsilon' ? { epsilon: asked.epsilon } : { targetAlpha: Number(asked.alpha) };
  const quote = useQuote(`/v1/datasets/${dataset.id}/quotes/${asked.kind}`, { ...asking, ...price });
  const bought = (envelopes) => {
    setAnswers(envelopes);
    again();
  };
  return html`<div class="columns">
    <section aria-label="The question">
      <${Select} label="What do you want to know?" value=${asked.kind} options=${kinds.map(([kind, { title }]) => [kind, title])}
        onChange=${(kind) => set(begin(kind))} />
      ${KINDS[asked.kind].fields({ dataset, state: asked.state, set: (changes) => set({ state: { ...asked.state, ...changes } }) })}
      ${dataset.blocks && html`<${Blocks} dataset=${dataset} value=${asked.blocks} onChange=${(blocks) => set({ blocks })} />`}
      <${Where} dataset=${dataset} value=${asked.where} onChange=${(where) => set({ where })} />
      <${Further} kind=${asked.kind} value=${asked.further} onChange=${(further) => set({ further })} />
      <${Price} dataset=${dataset} asked=${asked} set=${set} quote=${quote.value} />
    </section>
    <section aria-label="The answer" aria-live="polite">
      <${Expected} dataset=${dataset} asked=${asked} quote=${quote} />
      <${Buy} dataset=${dataset} asked=${asked} asking=${asking} quote=${quote.value} onBought=${bought}
        toBasket=${(item) => setBasket([...basket, item])} />
      ${basket.length > 0 && html`<${Basket} dataset=${dataset} items=${basket} onChange=${setBasket} onBought=${bought} />`}
      ${answers.map((envelope) => html`<${Answer} key=${envelope.queryId} dataset=${dataset} envelope=${envelope} />`)}
    </section>
  </div>`;
}

function Blocks({ dataset, value, onChange }) {
  const latest = value.latest !== undefined;
  return html`<fieldset class="part"><legend>Blocks of ${dataset.blocks.column}</legend>
    <div class="row"><${Select} label="Which" value=${latest ? 'latest' : 'window'}
      options=${[['latest', 'the newest ones'], ['window', 'from … to …']]}
      onChange=${(which) => onChange(which === 'latest' ? { latest: 1 } : { from: dataset.blocks.first, to: dataset.blocks.first })} />
    ${latest
      ? html`<${Text} label="How many" type="number" min="1" value=${value.latest} onChange=${(count) => onChange({ latest: Number(count) })} />`
      : ['from', 'to'].map((end) => html`<${Text} label=${end} value=${value[end]} onChange=${(label) => onChange({ ...value, [end]: label })} />`)}
    </div><small>Each of these blocks pays the whole price.</small></fieldset>`;
}

function Price({ dataset, asked, set, quote }) {
  const most = dataset.books.remaining.epsilon;
  const steps = ROUND.filter((epsilon) => !isMore(epsilon, most));
  const at = Math.max(0, steps.findLastIndex((epsilon) => !isMore(epsilon, asked.epsilon)));
  const spends = deciding(quote?.charge ?? { epsilon: '0' });
  return html`<fieldset class="part"><legend>The price</legend>
    ${asked.by === 'epsilon' && steps.length > 1 && html`<label>More privacy spent, less error
      <input type="range" min="0" max=${steps.length - 1} value=${at} aria-valuetext=${`epsilon ${asked.epsilon}`}
        onInput=${(event) => set({ epsilon: steps[Number(event.target.value)] })} /></label>`}
    <div class="row">
      <${Select} label="Set" value=${asked.by} options=${[['epsilon', 'the price'], ['alpha', 'the error']]}
        onChange=${(by) => set({ by, alpha: rounded(quote?.accuracy.alpha ?? 1, 3).replaceAll(',', '') })} />
      ${asked.by === 'epsilon'
        ? html`<${Text} label="Epsilon" inputmode="decimal" value=${asked.epsilon} onChange=${(epsilon) => set({ epsilon })} />`
        : html`<${Text} label="Within ±" type="number" step="any" value=${asked.alpha} onChange=${(alpha) => set({ alpha })} />`}
      ${dataset.accountant === 'approximate' && html`<${Text} label="Delta" value=${asked.delta} onChange=${(delta) => set({ delta })} />`}
    </div>
    <${BudgetBar} limit=${dataset.books.limit} spent=${dataset.books.spent} remaining=${dataset.books.remaining}
      next=${exact(spends) > 0n ? quote.charge : null} own=${dataset.books.remainingIn === 'analyst'} /></fieldset>`;
}

/** What would be known, before anything is spent. */
function Expected({ dataset, asked, quote: { value: quote, problem } }) {
  if (problem !== null) {
    return html`<${Refusal} problem=${problem} />`;
  }
  const scale = KINDS[asked.kind].scale(dataset, asked.state);
  const alpha = quote?.accuracy?.alpha;
  const middle = scale === null ? 0 : (scale[0] + scale[1]) / 2;
  const inRows = quote?.accuracy?.unit === 'rank';
  return html`<article><h2>Before you buy</h2>
    <p class="price">${quote === null ? '…' : html`The answer will be within <strong>±${rounded(alpha)}</strong>${inRows ? ' rows of the exact rank' : ''}${' '}
      with ${percent(1 - quote.accuracy.beta)} probability. It costs <strong>${spoken(quote.charge)}</strong>.`}</p>
    ${scale !== null && html`<${OnScale} title=${`The width of the interval to expect: ${rounded(alpha)} to each side`}
      low=${scale[0]} high=${scale[1]} value=${null} from=${middle - (alpha ?? 0)} to=${middle + (alpha ?? 0)} faint />`}
    ${quote !== null && html`<p>${words.guarantee(dataset, quote.charge, dataset.books.spent)}</p>
      <details><summary>Exactly</summary><p>${quote.accuracy.statement}</p></details>`}
    ${quote?.freeFrom && html`<${FreeFrom} dataset=${dataset} asked=${asked} free=${quote.freeFrom} />`}</article>`;
}

/** A synopsis that was bought answers this for nothing. */
function FreeFrom({ dataset, asked, free }) {
  const [answer, setAnswer] = useState(null);
  const { epsilon, blocks, delta, ...question } = request(dataset, asked);
  const [busy, problem, ask] = useAction(async () => {
    const reply = await post(`/v1/synopses/${free.synopsisId}/answers`, { questions: [{ [asked.kind]: question }] });
    setAnswer(reply.items[0]);
  });
  const values = answer === null ? [] : [
    ...answer.value === null ? [] : [[asked.kind, answer.value, answer.interval]],
    ...(answer.bins ?? []).map((bin) => [bin.category ?? `${bin.lower} to ${bin.upper}`, bin.count, bin.interval]),
    ...(answer.quantiles ?? []).map((each) => [`${each.probability}`, each.value, each.interval])];
  return html`<p>A synopsis that was bought answers this within ±${rounded(free.alpha)}, for nothing.
      <button class="outline small" aria-busy=${busy} onClick=${ask}>Show that answer</button></p>
    <${Refusal} problem=${problem} />
    ${values.length > 0 && html`<ul>${values.map(([label, value, interval]) => html`<li>${label}: ${rounded(value)}
      (${rounded(interval.low)} to ${rounded(interval.high)})</li>`)}</ul>`}`;
}

/** Buys the question once, whatever happens on the way: a repeated click sends the same idempotency key. */
function useOnce(send) {
  const key = useRef({ text: null, value: null });
  return (path, body) => {
    const text = JSON.stringify([path, body]);
    if (key.current.text !== text) {
      key.current = { text, value: freshKey() };
    }
    return send(path, body, { headers: { 'Idempotency-Key': key.current.value } });
  };
}

function Buy({ dataset, asked, asking, quote, onBought, toBasket }) {
  const once = useOnce(post);
  const sent = { ...asking, epsilon: quote?.epsilon ?? asked.epsilon, reuse: true };
  const [busy, problem, buy] = useAction(async () => {
    const path = KINDS[asked.kind].path ?? `queries/${asked.kind}`;
    onBought([await once(`/v1/datasets/${dataset.id}/${path}`, sent)]);
  });
  const earlier = useLoaded(async () => (may('analyst', 'viewer') ? all(`/v1/datasets/${dataset.id}/queries`, 1000) : []), [dataset]);
  const stored = (earlier.value ?? []).find((own) => own.state === 'answered' && own.kind === asked.kind && isSame(sent, own.question));
  if (stored) {
    return html`<div class="actions"><button aria-busy=${busy} disabled=${busy} onClick=${buy}>Show the stored answer</button>
      <span>Costs nothing: you asked this on ${words.moment(stored.at)}.</span></div><${Refusal} problem=${problem} />`;
  }
  if (self.role === 'viewer') {
    return html`<div class="actions"><button aria-busy=${busy} disabled=${busy} onClick=${buy}>Look for a stored answer</button>
      <span>A viewer's key spends nothing.</span></div><${Refusal} problem=${problem} />`;
  }
  const left = quote === null ? null : dataset.books.remaining;
  return html`<div class="actions">
      <button disabled=${busy || quote === null || !quote.affordable} aria-busy=${busy} onClick=${buy}>
        ${quote === null ? 'Ask' : `Ask for ${spoken(quote.charge)}`}</button>
      ${asked.kind !== 'synopsis' && html`<button class="outline" disabled=${quote === null}
        onClick=${() => toBasket({ kind: asked.kind, request: { ...asking, epsilon: quote.epsilon } })}>Add to the basket</button>`}
      ${left !== null && html`<span>${quote.affordable ? `Leaves ${after(left, quote.charge)}.` : html`Too much: ${spoken(left)} left. What was answered stays
        free in the <a href=${`#/datasets/${dataset.id}/history`}>history</a>.`}</span>`}
    </div>
    <${Refusal} problem=${problem} again=${problem?.slug === 'offline' ? buy : null} />`;
}

/** What a charge leaves; where rho decides, the service says it after the answer. */
const after = (left, charge) => (left.rho
  ? `rho ${plus(left.rho, `-${charge.rho}`)}` : `epsilon ${plus(left.epsilon, `-${charge.epsilon}`)}`);

/** Whether a stored question is this one: all that is sent stands in its canonical form, and no filter beside. */
function isSame({ reuse, ...sent }, stored) {
  return Object.entries(sent).every(([name, value]) => contains(stored[name], value))
    && (stored.where ?? []).length === (sent.where ?? []).length;
}

function contains(stored, sent) {
  if (Array.isArray(sent)) {
    return Array.isArray(stored) && stored.length === sent.length && sent.every((each, i) => contains(stored[i], each));
  }
  return typeof sent === 'object'
    ? stored !== undefined && stored !== null && Object.entries(sent).every(([name, value]) => contains(stored[name], value))
    : String(stored) === String(sent);
}

/** Questions that are bought at once: all of them or none. */
function Basket({ dataset, items, onChange, onBought }) {
  const once = useOnce(post);
  const plan = { questions: items };
  const quote = useQuote(`/v1/datasets/${dataset.id}/quotes`, plan);
  const [busy, problem, buy] = useAction(async () => {
    const { items: envelopes } = await once(`/v1/datasets/${dataset.id}/queries`, plan);
    onChange([]);
    onBought(envelopes);
  });
  return html`<article><h2>Basket</h2>
    <ol>${items.map((item) => html`<li>${KINDS[item.kind].title}${item.request.column ? `: ${item.request.column}` : ''},
      epsilon ${item.request.epsilon} <button class="outline small" aria-label=${`Remove ${KINDS[item.kind].title}`}
        onClick=${() => onChange(items.filter((other) => other !== item))}>Remove</button></li>`)}</ol>
    <${Refusal} problem=${problem ?? quote.problem} />
    <button disabled=${busy || quote.value === null || !quote.value.affordable} aria-busy=${busy} onClick=${buy}>
      ${quote.value === null ? 'Buy all' : `Buy all for ${spoken(quote.value.charge)}`}</button>
    ${quote.value !== null && !quote.value.affordable && html`<small>The budget does not allow all of them.</small>`}</article>`;
}
