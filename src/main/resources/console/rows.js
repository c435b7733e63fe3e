/** The page of a dataset's custodian: rows, limits, and deletion. */
import {
  html, Field, Loaded, Refusal, Table, useAction, useEffect, useLoaded, useRef, useState,
} from './parts.js';
import { rounded, spoken } from './amounts.js';
import { get, upload } from './api.js';
import { DatasetHead } from './ask-tabs.js';
import { labels, missing, split } from './blocks.js';
import { Only } from './forms.js';
import { Allotments, Deletion, Limit } from './limits.js';
import * as words from './words.js';

/** A file that was chosen while its dataset was registered: the page of its rows sends it at once. */
let waiting = null;
export function handOver(id, file) {
  waiting = { id, file };
}

function handedOver(id) {
  const file = waiting?.id === id ? waiting.file : null;
  waiting = null;
  return file;
}

export const Page = ({ parts: [id] }) =>
  html`<${Only} roles=${['custodian']} title="Rows and limits"><${Custody} id=${id} /><//>`;

function Custody({ id }) {
  const place = `/v1/datasets/${id}`;
  const loaded = useLoaded(async () => {
    const [dataset, books] = await Promise.all([get(place), get(`${place}/budget`)]);
    return { dataset, books, runs: dataset.blocks ? (await get(`${place}/blocks`)).items : [] };
  }, [id]);
  return html`<${DatasetHead} id=${id} place="rows" name="Rows and limits" dataset=${loaded.value?.dataset} />
    <${Loaded} of=${loaded}>${({ dataset, books, runs }) => html`
      <p><span class="state">${words.state(dataset)}</span> ${words.protection(dataset)}</p>
      <${Rows} dataset=${dataset} runs=${runs} place=${place} again=${loaded.again} />
      ${dataset.blocks && html`<${Table} caption="Blocks with the same state and amounts stand together"
        head=${['From', 'To', 'State', 'Spent of each', 'Left of each']}
        rows=${runs.map(({ from, to, state, spent, remaining }) =>
          [from, to, words.STATES[state], spoken(spent, books.limit), spoken(remaining, books.limit)])} />`}
      <${Limit} dataset=${dataset} books=${books} place=${place} again=${loaded.again} />
      <${Allotments} dataset=${dataset} books=${books} place=${place} again=${loaded.again} />
      <${Deletion} dataset=${dataset} place=${place} />`}<//>`;
}

function Rows({ dataset, runs, place, again }) {
  const [report, setReport] = useState(null);
  const done = (loaded) => { setReport(loaded); again(); };
  const isUpload = dataset.source.type !== 'table';
  return html`<section aria-label="Rows"><h2>Rows</h2>
    <div role="status">${report && html`<article>
      <${Alarm} dataset=${dataset} report=${report} />
      <strong>The rows are loaded${report.block ? ` as block ${report.block}` : ''}.</strong>
      <${Counts} report=${report} />
      <a href=${`#/datasets/${dataset.id}`} role="button">To the dataset</a>
    </article>`}</div>
    ${!isUpload
      ? html`<p>The rows are those of the table ${dataset.source.table} of ${dataset.source.connection}, as they are
          when a question is asked. Nothing is uploaded.</p>`
      : dataset.state === 'ready' && !dataset.blocks
        ? html`<p>The rows are loaded, and stay as they are. Other rows are another dataset.</p>`
        : html`<${Upload} dataset=${dataset} runs=${runs} place=${place} onDone=${done}
            again=${again} />`}
    ${isUpload && !dataset.blocks && html`<${Again} dataset=${dataset} />`}
    </section>`;
}

/** The way out of a wrong registration. Datasets with blocks have none, because they cannot share an account. */
const Again = ({ dataset }) => html`<p>Is the registration wrong?
  ${' '}<a href=${`#/register/${dataset.id}`} role="button" class="outline small">Register again</a>
  ${' '}<small>The form begins with what you registered, and needs another id. ${words.owes(dataset)
    ? 'The new dataset shares the account of this one: what was spent stays spent, and both debit it.'
    : 'Nothing was charged, so the new dataset has an account of its own.'}</small></p>`;

/** From this share of values outside of the bounds on, the bounds are probably wrong. */
const MANY = 0.05;

/** A warning before anything is asked: columns in which many values were moved. */
function Alarm({ dataset, report: { rowsRead, clamped } }) {
  const many = clamped.filter(({ values }) => values > MANY * rowsRead);
  const bounds = (name) => dataset.columns.find((each) => each.name === name);
  return many.length > 0 && html`<div class="refusal" role="alert"><strong>Are these bounds right?</strong>
    <ul>${many.map(({ column, values }) => html`<li>${rounded(values)} of ${rounded(rowsRead)} values of ${column} were
      below ${bounds(column).lower} or above ${bounds(column).upper}.</li>`)}</ul>
    <p>Each of them counts as the nearer of the two bounds in every answer. If this is not meant, register again with
      other bounds.</p></div>`;
}

const CSV = 'text/csv';
const typeOf = (file) => (/\.parquet$/i.test(file.name) ? 'application/vnd.apache.parquet' : CSV);

function Upload({ dataset, runs, place, onDone, again }) {
  const { blocks } = dataset;
  const open = blocks ? missing(blocks, runs) : [];
  const [file, setFile] = useState(null);
  // A choice holds until another block is loaded. Without a choice, the first block without rows is chosen.
  const [choice, setChoice] = useState(null);
  const label = choice?.open === open.length ? choice.label : open[0] ?? blocks?.first ?? '';
  const [sent, setSent] = useState(0);
  const [checked, setChecked] = useState(null);
  const stop = useRef(null);
  const [busy, problem, send] = useAction(async (check, chosen = file) => {
    setSent(0);
    setChecked(null);
    stop.current = new AbortController();
    const to = blocks ? `${place}/blocks/${encodeURIComponent(label)}/data` : `${place}/data`;
    const sending = upload(to + (check ? '?check=true' : ''), chosen,
      { type: typeOf(chosen), onProgress: setSent, signal: stop.current.signal });
    sending.catch(() => check || again()); // The dataset has another state then.
    const report = await sending;
    check ? setChecked(report) : onDone(report);
  });
  useEffect(() => {
    const waited = handedOver(dataset.id);
    if (waited !== null) {
      setFile(waited);
      blocks || send(false, waited);
    }
  }, []);
  const choose = (event) => { setFile(event.target.files[0] ?? null); setChecked(null); };
  const ready = file !== null && (!blocks || label !== '') && !busy;
  return html`<form onSubmit=${(event) => { event.preventDefault(); send(false); }}>
    ${blocks && html`<p>${open.length === 0 ? 'Every block has its rows.' : `${rounded(open.length)} of ${
      rounded(runs.flatMap((run) => labels(blocks, run)).length)} blocks have no rows yet: ${
      runs.filter(({ state }) => state !== 'ready').map(words.window).join(', ')}.`}</p>`}
    <div class="row top">
      ${blocks && html`<${BlockLabel} blocks=${blocks} value=${label}
        onChange=${(chosen) => setChoice({ open: open.length, label: chosen })} />`}
      <${Field} label="File" help=${file ? `${file.name} is chosen.`
        : 'CSV in UTF-8 with commas and a header row, or Parquet.'}>
        <input type="file" accept=".csv,.parquet,text/csv" disabled=${busy} onChange=${choose} /><//></div>
    <div class="actions">
      <button type="button" class="secondary" disabled=${!ready} onClick=${() => send(true)}>
        Check without loading</button>
      <button type="submit" disabled=${!ready} aria-busy=${busy}>
        Upload ${blocks ? `as block ${label}` : ''}</button>
      ${busy && html`<button type="button" class="outline" onClick=${() => stop.current.abort()}>Cancel</button>`}</div>
    ${busy && html`<label>
      ${sent < 1 ? `${Math.floor(100 * sent)} % is sent` : 'All is sent. The service reads the rows.'}
      <progress max="1" value=${sent < 1 ? sent : null} /></label>`}
    <${Refusal} problem=${problem} />
    ${problem?.slug === 'already-exists' && html`<p>To register these rows once more, answer “Were the same rows
      registered before?” in the form.</p>`}
    <div role="status">${checked && html`<${Checked} dataset=${dataset} report=${checked} />`}</div>
    ${blocks && file !== null && (typeOf(file) === CSV
      ? html`<${Several} dataset=${dataset} file=${file} open=${open} place=${place} onDone=${again} />`
      : html`<p>The browser divides CSV alone. This Parquet file is uploaded whole, so all of its rows have to be of the
          one block that is chosen above. If they are not, save it as CSV, or each block as a file.</p>`)}</form>`;
}

/** A file that holds the rows of several blocks, sent block by block. */
function Several({ dataset: { blocks }, file, open, place, onDone }) {
  const [now, setNow] = useState(null);
  const [loaded, setLoaded] = useState([]);
  const [busy, problem, send] = useAction(async () => {
    const parts = await split(file, blocks);
    const left = parts.filter(([label]) => open.includes(label) && !loaded.includes(label));
    const others = parts.length - left.length;
    for (const [i, [label, rows]] of left.entries()) {
      setNow({ label, done: i, of: left.length, others });
      await upload(`${place}/blocks/${encodeURIComponent(label)}/data`, rows,
        { type: CSV, onProgress: () => {}, signal: new AbortController().signal });
      setLoaded((before) => [...before, label]);
    }
    setNow({ label: null, done: left.length, of: left.length, others });
    onDone();
  });
  return html`<div class="actions"><button type="button" class="secondary" aria-busy=${busy} disabled=${busy}
      onClick=${send}>Divide by ${blocks.column} and upload every block</button>
      <small>The browser divides the file. Blocks that have rows already are left out.</small></div>
    <div role="status">${now && html`<p>${now.label !== null ? `Block ${now.label}, ${now.done + 1} of ${now.of}`
      : `${now.of} blocks are loaded.`}${now.others > 0 ? ` ${now.others} of the file have rows already or are
        outside.` : ''}</p>`}</div>
    ${now && html`<progress max=${Math.max(1, now.of)} value=${now.done} aria-label="Blocks loaded" />`}
    <${Refusal} problem=${problem} />`;
}

/** A control in which only labels of blocks can be chosen. */
function BlockLabel({ blocks: { column, width, first, last }, value, onChange }) {
  const kind = { day: { type: 'date' }, week: { type: 'date', step: 7 }, month: { type: 'month' } }[width]
    ?? { type: 'number', step: width };
  return html`<${Field} label=${`Block of ${column}`} help=${`${first} to ${last}. A block is loaded once.`}>
    <input ...${kind} required min=${first} max=${last} value=${value}
      onInput=${(event) => onChange(event.target.value)} /><//>`;
}

/** The result of a check. Nothing was stored. */
function Checked({ dataset, report }) {
  if (report.wouldLoad) {
    return html`<article><${Alarm} dataset=${dataset} report=${report} />
      <strong>The file would be loaded.</strong> Nothing was stored.
      <${Counts} report=${report} /></article>`;
  }
  const title = 'The file would be refused.';
  const detail = `${rounded(report.rowsRead)} rows were read, and nothing was stored. These rules are broken:`;
  return html`<${Refusal} problem=${{ document: { ...report, title, detail } }} />`;
}

function Counts({ report: { rowsRead, rowsStored, clamped, substituted } }) {
  const stored = rowsStored === undefined ? '' : `, ${rounded(rowsStored)} are stored`;
  return html`<p>${rounded(rowsRead)} rows were read${stored}.
    ${' '}${clamped.length === 0 && 'No value lay outside its bounds.'}</p>
    ${clamped.length > 0 && html`<${Table} caption="Values outside of their bounds, moved to the nearest one"
      head=${['Column', 'Values']} rows=${clamped.map((each) => [each.column, each.values])} />`}
    ${substituted.length > 0 && html`<${Table} caption="Values that were missing or unlisted, stored as the substitute"
      head=${['Column', 'Missing', 'Unlisted']}
      rows=${substituted.map((each) => [each.column, each.missing, each.unlisted])} />`}`;
}
