/** One collection: its estimate as reports come in, and a trial of what a device does before it sends anything. */
import {
  html, Copyable, Heading, Loaded, Refusal, Select, Table, useAction, useEffect, useLoaded, useState,
} from './parts.js';
import { rounded, shown } from './amounts.js';
import { get, may, post } from './api.js';
import { Confirmed } from './forms.js';
import { Bars, OnScale } from './pictures.js';
import * as words from './words.js';

const POLL_MILLIS = 2000;

export function Page({ parts: [id] }) {
  const place = `/v1/collections/${id}`;
  const loaded = useLoaded(() => get(place), [id]);
  return html`<${Heading}>${id}<//>
    <p><a href="#/collections">All collections</a></p>
    <${Loaded} of=${loaded}>${(collection) => html`
      <p>${valuesOf(collection)}, randomized on each device by ${collection.device.randomizer} with epsilon
        ${' '}${collection.guarantee.epsilon}. <span class="state">${collection.state}</span>
        ${may('custodian') && collection.state === 'open' && html` <${Confirmed} label="End the reports"
          question="No report counts then." onConfirm=${() => post(`${place}/closure`).then(loaded.again)} />`}</p>
      <div class="columns">
        ${may('custodian', 'analyst') && html`<${Estimate} collection=${collection} place=${place} />`}
        <${Device} collection=${collection} place=${place} />
      </div>`}<//>`;
}

const valuesOf = ({ categories, range }) => (categories
  ? `One of ${categories.length} categories` : `Numbers from ${rounded(range.lower)} to ${rounded(range.upper)}`);

/** The estimate, read again and again while the page is visible. */
function Estimate({ collection, place }) {
  const [state, setState] = useState({ estimate: null, problem: null });
  useEffect(() => {
    const abort = new AbortController();
    const { signal } = abort;
    const read = () => document.visibilityState === 'visible' && get(`${place}/estimate`, { signal }).then(
      (estimate) => setState({ estimate, problem: null }),
      (problem) => signal.aborted || setState((now) => ({ ...now, problem })));
    read();
    const timer = setInterval(read, POLL_MILLIS);
    return () => { clearInterval(timer); abort.abort(); };
  }, [place]);
  const { estimate, problem } = state;
  return html`<section aria-label="The estimate"><h2>The estimate</h2>
    <${Refusal} problem=${problem} />
    ${estimate === null ? problem === null && html`<p aria-busy="true">Loading</p>` : html`
      <p aria-live="polite"><span class="headline">${estimate.reports.toLocaleString('en')}</span>${' '}
        ${estimate.reports === 1 ? 'report' : 'reports'} so far</p>
      ${estimate.mean === null && estimate.frequencies === null
        ? html`<p>There is nothing to estimate from yet. This page looks again every two seconds.</p>`
        : html`<${Drawn} collection=${collection} estimate=${estimate} /><p class="quiet">${estimate.statement}</p>`}`}
  </section>`;
}

function Drawn({ collection: { range }, estimate: { mean, interval, frequencies } }) {
  const means = [mean].flat();
  const [lows, highs] = [[interval?.low].flat(), [interval?.high].flat()];
  const rows = frequencies !== null
    ? frequencies.map(({ category, projected, frequency, interval: ends }) =>
      ({ label: category, value: projected, unbiased: frequency, ...ends }))
    : means.map((value, i) => ({
      label: means.length === 1 ? 'Mean' : `Mean of number ${i}`, value, low: lows[i], high: highs[i] }));
  const texts = rows.map((row) => ({ ...row, ...shown(row) }));
  const picture = frequencies === null && rows.length === 1
    ? html`<${OnScale} title=${`Mean ${texts[0].value}, from ${texts[0].low} to ${texts[0].high}`}
        low=${range.lower} high=${range.upper} value=${mean} from=${lows[0]} to=${highs[0]} />`
    : html`<${Bars} title="Estimates with their intervals" rows=${rows.slice(0, 30)}
        scale=${frequencies === null ? [range.lower, range.upper] : [0, 1]} />`;
  return html`${picture}${frequencies === null
    ? html`<${Table} caption="Estimated mean" head=${['Of', 'Estimate', 'At least', 'At most']}
        rows=${texts.map((row) => [row.label, row.value, row.low, row.high])} />`
    : html`<${Table} caption="Estimated shares. What is unbiased may be below 0 or above 1."
        head=${['Category', 'Share', 'Unbiased', 'At least', 'At most']}
        rows=${texts.map((row) => [row.label, row.value, rounded(row.unbiased), row.low, row.high])} />`}`;
}

/** The report of this device to each collection. It is sent again: fresh noise would cost epsilon again. */
const sentHere = new Map();

function Device({ collection, place }) {
  const module = useLoaded(async () => {
    const device = await import('./purser-device.js');
    device.verify(collection);
    return device;
  }, [collection]);
  return html`<section aria-label="Try it on this device"><h2>Try it on this device</h2>
    <${Loaded} of=${module}>${(device) =>
      html`<${Try} collection=${collection} device=${device} place=${place} />`}<//></section>`;
}

function Try({ collection, device, place }) {
  const { id, range, categories, dimensions, guarantee } = collection;
  const levels = collection.device.randomizer === 'multilevel-laplace' ? collection.device.constants.levels.length : 0;
  const [value, setValue] = useState(categories ? categories[0] : (range.lower + range.upper) / 2);
  const [level, setLevel] = useState('1');
  const draw = () => device.report(collection, dimensions > 1 ? Array(dimensions).fill(value) : value,
    levels > 0 ? { level: Number(level) } : {});
  const [drawn, setDrawn] = useState({ times: 0, report: null });
  const again = () => setDrawn(({ times }) => ({ times: times + 1, report: draw() }));
  useEffect(again, [value, level]);
  const factor = Math.exp(guarantee.epsilon);
  return html`
    ${categories
      ? html`<${Select} label="The value, which stays here" value=${value} options=${categories}
          onChange=${setValue} />`
      : html`<label>The value, which stays here: <strong>${rounded(value)}</strong>
          <input type="range" min=${range.lower} max=${range.upper} step=${(range.upper - range.lower) / 100}
            value=${value} onInput=${(event) => setValue(Number(event.target.value))} />
          ${dimensions > 1 && html`<small>Here, all ${dimensions} numbers have this value.</small>`}</label>`}
    ${levels > 0 && html`<${Select} label="Level, which everybody sees" value=${level} onChange=${setLevel}
      options=${Array.from({ length: levels }, (unused, i) => String(i + 1))} />`}
    <${Copyable} key=${drawn.times} label="All that would leave this device" text=${JSON.stringify(drawn.report)} />
    <div class="actions"><button type="button" class="secondary" onClick=${again}>Draw again</button>
      <small>Drawn ${drawn.times} ${drawn.times === 1 ? 'time' : 'times'}. A draw that nobody else sees costs
        nothing.</small></div>
    <ul>
      <li><strong>What can be known:</strong> a guess of 50\u00a0:\u00a050 between any two values moves to at most
        ${' '}${words.odds(guarantee.epsilon)} through one report. This holds for everybody, the service included.</li>
      <li><strong>What cannot be known:</strong> the value. Every value gives every report, with probabilities that
        differ by a factor of at most e^${guarantee.epsilon}${factor < 1e6 && ` = ${rounded(factor)}`}.</li>
      <li>A second report, drawn anew, would cost epsilon ${guarantee.epsilon} again: a device keeps its report.</li>
    </ul>
    ${may('collector') && collection.state === 'open' && html`<${SendOne} id=${id} place=${place} draw=${draw} />`}`;
}

/** Sends one report, drawn for this purpose: a choice among draws would reveal more than one report does. */
function SendOne({ id, place, draw }) {
  const [counted, setCounted] = useState(null);
  const sent = sentHere.get(id);
  const [busy, problem, send] = useAction(async () => {
    const report = sentHere.get(id) ?? draw();
    sentHere.set(id, report);
    setCounted(await post(`${place}/reports`, { reports: [report] }));
  });
  return html`<div class="actions"><button type="button" aria-busy=${busy} disabled=${busy} onClick=${send}>
        ${sent ? 'Send the same report again' : 'Draw a report and send it'}</button>
      <small>${sent ? 'It counts once, however often it comes.'
        : 'A fresh draw is sent, none of those above: a choice among draws tells more than one does.'}</small></div>
    <${Refusal} problem=${problem} />
    <div role="status">${counted && html`<p>
      ${counted.accepted === 1 ? 'The report was counted.' : 'It was counted before, and is not counted twice.'}
      ${' '}Sent: <code>${JSON.stringify(sent)}</code></p>`}</div>`;
}
