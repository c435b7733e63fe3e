/** An answer: its picture, its table, and what proves it. */
import {
  html, useState, Copyable, Download, Field, Loaded, Refusal, Table, Text, useAction, useLoaded,
} from './parts.js';
import { confidence, percent, shown, spoken, within } from './amounts.js';
import { at, bytes, get, may, post } from './api.js';
import { DatasetHead } from './ask-tabs.js';
import { checkedReceipt } from './proof.js';
import { ends } from './columns.js';
import { KINDS } from './kinds.js';
import { Bars, OnScale, Steps } from './pictures.js';
import { aggregate, asked } from './sentences.js';
import { Sharper } from './sharper.js';
import * as words from './words.js';

/** The page of a stored answer, which is free to open again. */
export function Page({ parts: [queryId] }) {
  const loaded = useLoaded(async () => {
    const envelope = await get(`/v1/queries/${queryId}`);
    return { envelope, dataset: await get(`/v1/datasets/${envelope.datasetId}`) };
  }, [queryId]);
  return html`<${Loaded} of=${loaded}>${({ envelope, dataset }) => html`
    <${DatasetHead} id=${dataset.id} place="answers" name="Answer" dataset=${dataset} />
    ${envelope.answer ? html`<${Answer} dataset=${dataset} envelope=${envelope} />`
      : html`<p>It opened a session: see <a href=${`#/datasets/${dataset.id}/sessions`}>Sessions</a>.</p>`}`}<//>`;
}

const range = ({ category, block, lower, atLeast, above, upper, below, atMost }) => category ?? block
  ?? `${lower ?? atLeast ?? above ?? '…'} to ${upper ?? below ?? atMost ?? '…'}`;
const row = (label, value, interval) => ({ label: String(label), value, low: interval?.low, high: interval?.high });

/** The rows of an answer: [{label, value, low, high}], and the meaning of their value. */
function rowsOf({ kind, answer, question }) {
  switch (kind) {
    case 'mean': case 'local-mean': return [row(`mean of ${question.column}`, answer.mean, answer.interval)];
    case 'count': return [row(question.of ?? 'rows', answer.count, answer.interval)];
    case 'sum': return [row(`sum of ${question.column}`, answer.sum, answer.interval)];
    case 'histogram': return answer.bins.map((bin) => row(range(bin), bin.count, bin.interval));
    case 'quantile': return answer.groups ? answer.groups.flatMap((group) => group.quantiles.map((each, i) => ({
      ...row([...group.key.map(range), percent(each.probability)].join(', '), each.value, each.interval), part: i,
    }))) : answer.quantiles.map((each) => row(percent(each.probability), each.value, each.interval));
    case 'sparse-range': return answer.positives.map((each) =>
      row(range(each.range), each.value ?? each.gap ?? null, each.interval));
    case 'threshold': return [row(answer.index === null ? 'none is above' : found(question, answer.index), null, null)];
    case 'aggregate': return answer.groups.flatMap((group) => group.values.map((each, i) => ({
      ...row([...group.key.map(range), named(question.aggregates[i])].join(', '),
        isNothing(question.aggregates[i], each.interval) ? null : each.value, each.interval),
      series: i % 4, part: i,
    })));
    default: return [];
  }
}

/** The name of an aggregate: the name that its question gives it, or words. */
const named = (each) => each.name ?? aggregate(each);

/** Whether an interval covers all possible values: then nothing is known, and the value in its middle is no answer. */
function isNothing({ mean, share }, { low, high }) {
  const [least, most] = mean ? [mean.lower, mean.upper] : share ? [0, 1] : [-Infinity, Infinity];
  return low <= least && high >= most;
}

const found = (question, index) => {
  const [where] = question.queries[index].count?.where ?? [];
  return where === undefined ? `number ${index + 1}` : `${where.column}: ${where.in?.join(', ') ?? range(where)}`;
};

function AnswerPicture({ dataset, envelope, rows }) {
  const { kind, answer, question } = envelope;
  const column = dataset.columns.find((each) => each.name === question.column);
  if (['count', 'sum'].includes(kind)) {
    return null; // A number, which the headline says.
  }
  const names = kind === 'aggregate' ? question.aggregates.map(named)
    : answer.groups?.[0].quantiles.map(({ probability }) => percent(probability));
  if (names) {
    return rows.some((each) => typeof each.value === 'number')
      && names.map((name, i) => html`<figure><figcaption>${name}</figcaption>
      <${Bars} title=${name} rows=${rows.filter((each) => each.part === i).map((each) => ({
        ...each, label: each.label.slice(0, each.label.length - name.length - 2) || 'all' }))} /></figure>`);
  }
  if (kind === 'quantile' && rows.length > 1) {
    const [low, high] = ends(column);
    return html`<${Steps} title=${`Quantiles of ${question.column}`} quantiles=${answer.quantiles}
      low=${low} high=${high} />`;
  }
  if (['mean', 'local-mean', 'quantile'].includes(kind)) {
    const [low, high] = ends(column);
    const [row] = rows;
    const isDate = typeof row.value === 'string';
    const [value, from, to] = [row.value, row.low, row.high].map((at) => (isDate ? Date.parse(at) : at));
    return html`<${OnScale} title=${`The answer on the scale of ${question.column}`} low=${low} high=${high}
      value=${value} from=${from} to=${to} isDate=${isDate} />`;
  }
  return rows.some((each) => typeof each.value === 'number')
    && html`<${Bars} title="The answer" rows=${rows} axis=${question.release === 'gaps'
      ? 'rows above the noisy threshold' : 'rows'}
      line=${kind === 'sparse-range' && question.release === 'values' ? question.threshold : null} />`;
}

/** The kinds whose answers the service also writes as CSV. */
const IN_CSV = ['histogram', 'quantile', 'aggregate'];

export function Answer({ dataset, envelope }) {
  const { kind, question, answer, charge, queryId } = envelope;
  const rows = rowsOf(envelope);
  const texts = rows.map((each) => ({ ...each, ...shown(each) }));
  const [only] = texts.length === 1 ? texts : [];
  const original = envelope.reusedFrom ?? queryId;
  return html`<article class="answer" data-query=${queryId}>
    <h2>${KINDS[kind]?.title ?? kind}</h2>
    <p>${asked(kind, question)}.</p>
    ${only && html`<p class="headline">${rows[0].value === null ? only.label : only.value}</p>`}
    ${only && rows[0].low !== undefined && html`<p>The exact value is between <strong>${only.low}</strong>
      ${' '}and <strong>${only.high}</strong> with ${confidence(question.beta)} probability.</p>`}
    ${kind === 'synopsis' && html`<${Synopsis} answer=${answer} />
      ${question.marginals > 1 && html`<${Play} id=${answer.synopsisId} />`}`}
    ${rows.length === 0 && kind === 'sparse-range' && html`<p>No range was found above the threshold.</p>`}
    <${AnswerPicture} dataset=${dataset} envelope=${envelope} rows=${rows} />
    ${rows.some(({ value }) => value !== null) && html`<${Table} head=${['What', 'value', 'from', 'to']}
      rows=${texts.map(({ label, value, low, high }) => [label, value, low, high])}
      caption=${`Values and their intervals at ${confidence(question.beta)}`} />`}
    <p><small>Cost: ${envelope.reusedFrom
      ? `nothing; stored since ${words.moment(envelope.answeredAt)}`
      : `${spoken(charge, dataset.budget)}${charge.rho ? `, for the epsilon ${question.epsilon} that was asked` : ''}`}.
      ${' '}${envelope.accuracy?.statement}</small></p>
    <div class="actions">
      ${IN_CSV.includes(kind) && html`<${Download} name=${`${original}.csv`}
        path=${`/v1/queries/${original}`}>CSV<//>`}
      <a href=${`#/answers/${original}`}>Address of this answer</a></div>
    <${Sharper} dataset=${dataset} envelope=${envelope} rowsOf=${rowsOf} Answer=${Answer} />
    <details><summary>The same with curl or Python</summary>
      <${Copyable} label="curl" text=${curl(envelope)} />
      <${Copyable} label="Python" text=${python(envelope)} /></details>
    ${may('analyst', 'auditor') && html`<details><summary>Receipt</summary>
      ${envelope.reusedFrom && html`<p>Only who asked, auditors and administrators get it.</p>`}
      <${Receipt} queryId=${original} /></details>`}
  </article>`;
}

/** A free answer of a synopsis: how many rows its columns have in each cell. */
function Synopsis({ answer }) {
  const names = answer.columns.map((each) => each.column ?? each);
  const loaded = useLoaded(() => post(`/v1/synopses/${answer.synopsisId}/answers`,
    { questions: names.map((column) => ({ histogram: { column } })), simultaneous: true }), [answer.synopsisId]);
  return html`<p>Questions about ${names.join(', ')} are answered from it for nothing, typically within
      ±${within(answer.error.rms)}. The form offers it where it serves.</p>
    <${Loaded} of=${loaded}>${({ items }) => items.map(({ bins }, i) => html`<figure>
      <figcaption>${names[i]}</figcaption>
      <${Bars} title=${`Rows by ${names[i]}`}
        rows=${bins.map((bin) => row(range(bin), bin.count, bin.interval))} /></figure>`)}<//>`;
}

/** Invented rows that follow the tables, with their certificate. */
function Play({ id }) {
  const [count, setCount] = useState('1000');
  const [made, setMade] = useState(null);
  const address = `/v1/synopses/${id}/rows?count=${encodeURIComponent(count)}`;
  const [busy, problem, make] = useAction(async () => setMade({ address, ...await get(address) }));
  return html`<details><summary>Rows to play with</summary>
    <p>Invented rows that follow these tables, for nothing: to try code on, to teach with, to look at two columns at a
      time. They are nobody's.</p>
    <${Text} label="Number of rows" value=${count} onChange=${setCount} inputmode="numeric" />
    <button class="secondary" aria-busy=${busy} onClick=${make}>Invent rows</button>
    <${Refusal} problem=${problem} />
    ${made !== null && html`
      <${Table} head=${made.columns} rows=${made.rows.slice(0, 10)} caption="The first of them" />
      <p>${made.certificate.notModelled} Scaled to the estimated number of rows, no cell of these tables is further from
        the exact one than this, with ${confidence(made.certificate.beta)} probability for all together:</p>
      <${Bars} title="The largest error in each table"
        rows=${made.certificate.tables.map((each) => row(each.columns.join(', '), each.largestError))} />
      <${Table} head=${['table', 'largest error', 'mean error']} caption="Certificate"
        rows=${made.certificate.tables.map((each) => [each.columns.join(', '), each.largestError, each.meanError])} />
      <${Download} name="invented.csv" path=${made.address}>CSV<//>`}</details>`;
}

const path = (envelope) => (envelope.kind === 'synopsis' ? 'synopses' : `queries/${envelope.kind}`);

function curl({ datasetId, question, ...envelope }) {
  const body = JSON.stringify({ ...question, reuse: true }).replaceAll("'", "'\\''");
  return `curl -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' \\\n  `
    + `${at(`/v1/datasets/${datasetId}/${path(envelope)}`)} \\\n  -d '${body}'`;
}

function python({ datasetId, question, kind }) {
  const name = datasetId.replaceAll('-', '_');
  return `import json, purser\n\n${name} = purser.connect("${at('/').slice(0, -1)}", key)`
    + `.dataset("${datasetId}")\n`
    + `question = json.loads(${pythonText(JSON.stringify({ ...question, reuse: true }))})\n`
    + `answer = ${name}.ask(purser.Question("${kind}", question))`;
}

/** JSON text as a literal of Python: the escapes of both are the same. */
const pythonText = (text) => JSON.stringify(text);

/** Fetches the receipt and checks it here, with the key of the user if there is one. */
function Receipt({ queryId }) {
  const [publicKey, setPublicKey] = useState('');
  const [result, setResult] = useState(null);
  const [busy, problem, check] = useAction(async () => {
    const [receipt, answer] = await Promise.all([
      get(`/v1/queries/${queryId}/receipt`), bytes(`/v1/queries/${queryId}`)]);
    setResult({ receipt, ...await checkedReceipt(receipt, answer, publicKey) });
  });
  return html`<p>The service signs that it charged this question. Paste its public key, which you have from elsewhere
      (<code>signing.pub</code>), to check who signed.</p>
    <${Field} label="Public key"><textarea rows="3" value=${publicKey}
      onInput=${(event) => setPublicKey(event.target.value)}></textarea><//>
    <button class="secondary" aria-busy=${busy} onClick=${check}>Check the receipt</button>
    <${Refusal} problem=${problem} />
    ${result !== null && html`<p role="status"><strong>${result.verdict}</strong></p>
      <${Copyable} label="Receipt" text=${JSON.stringify(result.receipt, null, 2)} />`}`;
}
