/** What a dataset's custodian does: rows, limits, and the end of it. */
import { html, Field, Heading, Loaded, Refusal, Table, useAction, useLoaded, useRef, useState } from './parts.js';
import { rounded, spoken } from './amounts.js';
import { get, upload } from './api.js';
import { DatasetTabs } from './ask-tabs.js';
import { Only } from './forms.js';
import { Allotments, Deletion, Limit } from './limits.js';
import * as words from './words.js';

export const Page = ({ parts: [id] }) =>
  html`<${Only} roles=${['custodian']} title="Rows and limits"><${Custody} id=${id} /><//>`;

function Custody({ id }) {
  const place = `/v1/datasets/${id}`;
  const loaded = useLoaded(async () => {
    const [dataset, books] = await Promise.all([get(place), get(`${place}/budget`)]);
    return { dataset, books, runs: dataset.blocks ? (await get(`${place}/blocks`)).items : [] };
  }, [id]);
  return html`<${Heading}>Rows and limits<//>
    <${DatasetTabs} id=${id} current=${`#/datasets/${id}/rows`} />
    <${Loaded} of=${loaded}>${({ dataset, books, runs }) => html`
      <p><strong>${dataset.title ?? id}</strong> <span class="state">${words.STATES[dataset.state]}</span>
        ${' '}${words.protection(dataset)}</p>
      <${Rows} dataset=${dataset} place=${place} again=${loaded.again} />
      ${dataset.blocks && html`<${Table} caption="Blocks with the same state and amounts stand together"
        head=${['From', 'To', 'State', 'Spent of each', 'Left of each']}
        rows=${runs.map(({ from, to, state, spent, remaining }) =>
          [from, to, words.STATES[state], spoken(spent, books.limit), spoken(remaining, books.limit)])} />`}
      <${Limit} dataset=${dataset} books=${books} place=${place} again=${loaded.again} />
      <${Allotments} dataset=${dataset} books=${books} place=${place} again=${loaded.again} />
      <${Deletion} dataset=${dataset} place=${place} />`}<//>`;
}

function Rows({ dataset, place, again }) {
  const [report, setReport] = useState(null);
  const done = (loaded) => { setReport(loaded); again(); };
  return html`<section aria-label="Rows"><h2>Rows</h2>
    ${dataset.source.type === 'table'
      ? html`<p>The rows are those of the table ${dataset.source.table} of ${dataset.source.connection}, as they are
          when a question is asked. Nothing is uploaded.</p>`
      : dataset.state === 'ready' && !dataset.blocks
        ? html`<p>The rows are loaded, and stay as they are. Other rows are another dataset.</p>`
        : html`<${Upload} dataset=${dataset} place=${place} onDone=${done} />`}
    <div role="status">${report && html`<article>
      <strong>The rows are loaded${report.block ? ` as block ${report.block}` : ''}.</strong>
      <${Counts} report=${report} />
      <a href=${`#/datasets/${dataset.id}`} role="button">To the dataset</a>
    </article>`}</div>
    </section>`;
}

const typeOf = (file) => (/\.parquet$/i.test(file.name) ? 'application/vnd.apache.parquet' : 'text/csv');

function Upload({ dataset, place, onDone }) {
  const { blocks } = dataset;
  const [file, setFile] = useState(null);
  const [label, setLabel] = useState(blocks?.first ?? '');
  const [sent, setSent] = useState(0);
  const [checked, setChecked] = useState(null);
  const stop = useRef(null);
  const [busy, problem, send] = useAction(async (check) => {
    setSent(0);
    setChecked(null);
    stop.current = new AbortController();
    const to = blocks ? `${place}/blocks/${encodeURIComponent(label)}/data` : `${place}/data`;
    const report = await upload(to + (check ? '?check=true' : ''), file,
      { type: typeOf(file), onProgress: setSent, signal: stop.current.signal });
    check ? setChecked(report) : onDone(report);
  });
  const choose = (event) => { setFile(event.target.files[0] ?? null); setChecked(null); };
  const ready = file !== null && (!blocks || label !== '') && !busy;
  return html`<form onSubmit=${(event) => { event.preventDefault(); send(false); }}>
    <div class="row top">
      ${blocks && html`<${BlockLabel} blocks=${blocks} value=${label} onChange=${setLabel} />`}
      <${Field} label="File" help="CSV in UTF-8 with commas and a header row, or Parquet.">
        <input type="file" accept=".csv,.parquet,text/csv" disabled=${busy} onChange=${choose} /><//></div>
    <div class="actions">
      <button type="button" class="secondary" disabled=${!ready} onClick=${() => send(true)}>
        Check without loading</button>
      <button type="submit" disabled=${!ready} aria-busy=${busy}>Upload</button>
      ${busy && html`<button type="button" class="outline" onClick=${() => stop.current.abort()}>Cancel</button>`}</div>
    ${busy && html`<label>
      ${sent < 1 ? `${Math.floor(100 * sent)} % is sent` : 'All is sent. The service reads the rows.'}
      <progress max="1" value=${sent < 1 ? sent : null} /></label>`}
    <${Refusal} problem=${problem} />
    <div role="status">${checked && html`<${Checked} report=${checked} />`}</div></form>`;
}

/** A control in which only labels of blocks can be chosen. */
function BlockLabel({ blocks: { column, width, first, last }, value, onChange }) {
  const kind = { day: { type: 'date' }, week: { type: 'date', step: 7 }, month: { type: 'month' } }[width]
    ?? { type: 'number', step: width };
  return html`<${Field} label=${`Block of ${column}`} help=${`${first} to ${last}. A block is loaded once.`}>
    <input ...${kind} required min=${first} max=${last} value=${value}
      onInput=${(event) => onChange(event.target.value)} /><//>`;
}

/** What a check found; nothing was stored. */
function Checked({ report }) {
  if (report.wouldLoad) {
    return html`<article><strong>The file would be loaded.</strong> Nothing was stored.
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
