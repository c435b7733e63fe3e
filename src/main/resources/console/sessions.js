/** Threshold sessions: one question at a time, above or below. Only outcomes above use up epsilon. */
import {
  html, Loaded, Refusal, Select, Table, useAction, useEffect, useLoaded, useState,
} from './parts.js';
import {
  decimal, deciding, exact, isAmount, isMore, minus, rhoOf, rounded, shown, spoken, unitOf,
} from './amounts.js';
import { all, events, get, may, once, post, remove } from './api.js';
import { DatasetHead } from './ask-tabs.js';
import { Confirmed, Entry, Send, number, text, useForm } from './forms.js';
import { Where } from './filters.js';
import { Bars } from './pictures.js';
import { filter } from './sentences.js';
import * as words from './words.js';

const WAIT_MILLIS = 2000;
const CLOSED = {
  positives: 'all ABOVE are used', maxQueries: 'all questions are asked', deleted: 'it was ended',
  expired: 'nothing was asked for long', restored: 'the ledger was restored from a backup',
};
const about = ({ declaration }) => `${declaration.queries} above ${rounded(declaration.threshold)}`;
const stateOf = (session) => (session.state === 'open' ? 'open' : `closed: ${CLOSED[session.closedBecause]}`);

export function Page({ parts: [id] }) {
  const place = `/v1/datasets/${id}`;
  const [chosen, setChosen] = useState(null);
  const loaded = useLoaded(async () => {
    const [dataset, books] = await Promise.all([get(place), get(`${place}/budget`)]);
    return { dataset, books, sessions: may('analyst') ? await all(`${place}/threshold-sessions?order=desc`) : [] };
  }, [id]);
  const open = (session) => { setChosen(session.sessionId); loaded.again(); };
  return html`<${DatasetHead} id=${id} place="sessions" name="Threshold sessions" dataset=${loaded.value?.dataset} />
    <p>Each question is answered ABOVE or BELOW a threshold. Any number may be asked: only ABOVE uses it up.</p>
    <${Loaded} of=${loaded}>${({ dataset, books, sessions }) => {
      const session = sessions.find((each) => each.sessionId === chosen);
      return !may('analyst') ? html`<p>Sessions are for analysts.</p>`
        : dataset.state !== 'ready' ? html`<p class="state">${words.STATES[dataset.state]}</p>` : html`
        ${session && html`<${Session} key=${chosen} dataset=${dataset} session=${session} again=${loaded.again} />`}
        ${sessions.length > 0 && html`<${Table} caption="Your sessions, the newest first"
          head=${['Opened', 'Asks for', 'State', 'ABOVE left', 'Charged', 'Show']}
          rows=${sessions.map((each) => [
            words.moment(each.openedAt), about(each), stateOf(each), each.positivesLeft, spoken(each.charge),
            html`<button type="button" class="outline small" aria-pressed=${String(each.sessionId === chosen)}
              aria-label=${`Show the session of ${words.moment(each.openedAt)}`}
              onClick=${() => setChosen(each.sessionId)}>Show</button>`])} />`}
        <${Open} dataset=${dataset} books=${books} place=${place} onOpened=${open} />`;
    }}<//>`;
}

function Open({ dataset, books, place, onOpened }) {
  const { blocks } = dataset;
  const sums = dataset.columns.some(({ type }) => ['integer', 'decimal'].includes(type));
  const form = useForm({
    epsilon: '1', threshold: '', maxPositives: '3', release: 'indices', payment: 'upfront', queries: 'counts',
    sumBound: '', maxQueries: '', blocks: { from: blocks?.first, to: blocks?.first },
  }, async (values) => {
    const sent = {
      ...values, threshold: number(values.threshold), maxPositives: number(values.maxPositives),
      sumBound: values.queries === 'sums' ? number(values.sumBound) : undefined, maxQueries: number(values.maxQueries),
      blocks: blocks ? { from: text(values.blocks.from), to: text(values.blocks.to) } : undefined,
    };
    onOpened(await once(`${place}/threshold-sessions`, sent));
  });
  const { epsilon, payment, queries, maxPositives } = form.values;
  const entry = (name, label, others = {}) =>
    html`<${Entry} form=${form} at=${`/${name}`} label=${label} ...${others} />`;
  return html`<form onSubmit=${form.submit} novalidate><h2>Open a session</h2>
    <div class="row top">
      ${entry('queries', 'It asks for', { options: ['counts', ...sums ? ['sums'] : []] })}
      ${queries === 'sums' && entry('sumBound', 'Each adds to a sum at most', {
        inputmode: 'decimal', help: `Each means ${words.unit(dataset.privacyUnit, blocks)}.` })}
      ${entry('threshold', 'Threshold', { inputmode: 'decimal' })}
      ${entry('maxPositives', 'It ends after so many ABOVE', { inputmode: 'numeric' })}
      ${entry('maxQueries', 'Questions at most', { inputmode: 'numeric', help: 'May be empty.' })}
    </div><div class="row top">
      ${entry('release', 'An ABOVE comes', { options: [
        ['indices', 'alone'], ['gaps', 'with its distance, for nothing more'],
        ['values', 'with a value, for half of epsilon']] })}
      ${entry('payment', 'It is paid', { options: [
        ['upfront', 'at the opening'], ['per-positive', 'piece by piece, for each ABOVE']] })}
      ${entry('epsilon', 'Epsilon in all', { inputmode: 'decimal' })}
      ${blocks && ['from', 'to'].map((end) =>
        entry(`blocks/${end}`, `Blocks ${end}`, { help: 'Each pays the whole price.' }))}
    </div>
    <p aria-live="polite">${isAmount(epsilon)
      ? price(epsilon, payment, maxPositives, books.remaining) : 'Enter an epsilon such as 1 or 0.5.'}</p>
    <${Send} form=${form}>${payment === 'upfront' ? `Open for epsilon ${epsilon}` : 'Open for nothing yet'}<//></form>`;
}

/** The part of epsilon that one ABOVE costs: rounded down to a nano-epsilon, as the service does. */
const piece = (epsilon, maxPositives) => (/^[1-9]\d*$/.test(maxPositives)
  ? decimal(exact(epsilon) / BigInt(maxPositives) / 10n ** 9n * 10n ** 9n) : null);

/** What a session costs, in the unit of what is left. */
function price(epsilon, payment, maxPositives, remaining) {
  const unit = unitOf(remaining);
  const loss = (part) => (part === null ? '…' : unit === 'rho' ? rhoOf(part) : part);
  const whole = loss(epsilon);
  if (isMore(whole, deciding(remaining))) {
    return `It may cost ${unit} ${whole}, and ${spoken(remaining)} is left.`;
  }
  const left = ` At least ${unit} ${minus(deciding(remaining), whole)} is left after it.`;
  return payment === 'upfront'
    ? `It costs ${unit} ${whole} now, whatever is asked and found.${left}`
    : `The first question costs ${unit} ${loss(piece(epsilon, maxPositives))}, and so does the next one `
      + `after each ABOVE: at most ${whole} in all.${left}`;
}

/** Follows the outcomes of a session as they are stored, also if another tab asked. */
function useOutcomes(path) {
  const [state, setState] = useState({ outcomes: new Map(), closedBecause: null, problem: null });
  useEffect(() => {
    const abort = new AbortController();
    const each = (event) => setState((now) => (event.outcome
      ? { ...now, problem: null, outcomes: new Map(now.outcomes).set(event.sequence, event) }
      : { ...now, closedBecause: event.closedBecause }));
    const follow = async () => {
      let closed = false;
      while (!closed && !abort.signal.aborted) {
        try {
          await events(`${path}/events`, abort.signal, (event) => { closed ||= !event.outcome; each(event); });
        } catch (problem) {
          closed = problem.slug !== 'offline';
          abort.signal.aborted || setState((now) => ({ ...now, problem }));
        }
        await new Promise((resolve) => setTimeout(resolve, closed ? 0 : WAIT_MILLIS));
      }
    };
    follow();
    return () => abort.abort();
  }, [path]);
  return state;
}

function Session({ dataset, session, again }) {
  const path = `/v1/threshold-sessions/${session.sessionId}`;
  const { outcomes, closedBecause, problem } = useOutcomes(path);
  const [asked, setAsked] = useState({});
  const { declaration } = session;
  const extra = EXTRA[declaration.release ?? 'indices'];
  const all = [...outcomes.values()].sort((one, other) => other.sequence - one.sequence);
  const last = all[0];
  const because = closedBecause ?? session.closedBecause;
  useEffect(() => { closedBecause !== null && session.state === 'open' && again(); }, [closedBecause]);
  const end = () => remove(path).then(again);
  const found = all.filter((each) => each.value !== undefined).reverse();
  return html`<section aria-label="The session"><h2>Session: ${about(session)}</h2>
    <p><span class="state">${because ? `closed: ${CLOSED[because]}` : 'open'}</span>
      ${' '}<strong>${last?.positivesLeft ?? session.positivesLeft}</strong> of ${declaration.maxPositives} ABOVE left.
      ${' '}${session.expiresAt && !because
        && `It is closed on ${words.moment(last?.expiresAt ?? session.expiresAt)}, if nothing is asked before.`}
      ${!because && html` <${Confirmed} label="End it" question="Its price is not given back." onConfirm=${end} />`}</p>
    <p class="quiet">${last?.accuracy?.statement ?? session.accuracy.statement}</p>
    <${Refusal} problem=${problem} />
    ${!because && html`<${Question} dataset=${dataset} session=${session} path=${path} again=${again}
      next=${Math.max(session.nextSequence, (last?.sequence ?? 0) + 1)}
      onAsked=${(sequence, said) => setAsked((now) => ({ ...now, [sequence]: said }))} />`}
    <p role="status">${last && `Question ${last.sequence}: ${last.outcome}.`}</p>
    ${found.length > 0 && html`<${Bars} title="Values found above the threshold" line=${declaration.threshold}
      rows=${found.map((each) => ({ label: `Question ${each.sequence}`, value: each.value, ...each.interval }))} />`}
    ${all.length === 0 ? html`<p>Nothing was asked yet.</p>` : html`<${Table} caption="Outcomes, the newest first"
      head=${['Question', 'Asked on this page', 'Outcome', ...extra.map(([name]) => name), 'ABOVE left']}
      rows=${all.map((each) => [each.sequence, asked[each.sequence] ?? '', each.outcome,
        ...extra.map(([unused, value]) => value(each)), each.positivesLeft])} />`}</section>`;
}

const EXTRA = {
  indices: [],
  gaps: [['Above the noisy threshold by', ({ gap }) => (gap === undefined ? '' : rounded(gap))]],
  values: [
    ['Value', (each) => (each.value === undefined ? '' : shown({ ...each, ...each.interval }).value)],
    ['Between', ({ interval }) => (interval ? `${shown(interval).low} and ${shown(interval).high}` : '')],
  ],
};

function Question({ dataset, session, path, next, again, onAsked }) {
  const numbers = dataset.columns.filter(({ type }) => ['integer', 'decimal'].includes(type)).map(({ name }) => name);
  const [column, setColumn] = useState(numbers[0]);
  const [where, setWhere] = useState([]);
  const sums = session.declaration.queries === 'sums';
  const [busy, problem, ask] = useAction(async () => {
    const query = sums ? { sum: { column, where } } : { count: { where } };
    try {
      await post(`${path}/queries`, { sequence: next, query });
      onAsked(next, (sums ? `sum of ${column}` : 'count') + filter(where));
    } finally {
      again();
    }
  });
  return html`<form onSubmit=${(event) => { event.preventDefault(); ask(); }}>
    ${sums && html`<${Select} label="Sum of" value=${column} options=${numbers} onChange=${setColumn} />`}
    <${Where} dataset=${dataset} value=${where} onChange=${setWhere} />
    <div class="actions"><button type="submit" disabled=${busy} aria-busy=${busy}>Ask question ${next}</button></div>
    <${Refusal} problem=${problem} /></form>`;
}
