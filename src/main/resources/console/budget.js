/** The books of a dataset: what is left, who spent it, how long it lasts, and the ledger with its chain recomputed. */
import {
  html, BudgetBar, Download, Loaded, Refusal, Select, Table, useAction, useLoaded, useState,
} from './parts.js';
import { deciding, exact, decimal, rounded, share, spoken, spokenLimit, unitOf } from './amounts.js';
import { all, get, may, pages } from './api.js';
import { DatasetHead } from './ask-tabs.js';
import { KINDS } from './kinds.js';
import { Bars, BurnDown } from './pictures.js';
import { canCompute, recomputed } from './proof.js';
import { entry as said } from './sentences.js';
import * as words from './words.js';

const DAY = 86_400_000;
/** The days whose pace the forecast continues. */
const PACE_DAYS = 7;
/** The most entries that are shown: the newest. The chain is recomputed over all entries. */
const MOST_ENTRIES = 5000;

export function Page({ parts: [id] }) {
  const loaded = useLoaded(async () => {
    const [dataset, books] = await Promise.all([get(`/v1/datasets/${id}`), get(`/v1/datasets/${id}/budget`)]);
    const runs = dataset.blocks ? (await get(`/v1/datasets/${id}/blocks`)).items : [];
    const entries = may('custodian', 'auditor')
      ? (await all(`/v1/datasets/${id}/ledger?order=desc`, MOST_ENTRIES)).reverse() : null;
    return { dataset, books, runs, entries };
  }, [id]);
  return html`<${DatasetHead} id=${id} place="budget" name="Budget" dataset=${loaded.value?.dataset} />
    <${Loaded} of=${loaded}>${({ dataset, books, runs, entries }) => html`
      <p>${words.protection(dataset)} ${words.whole(dataset, books.spent, books.limit)}</p>
      <${BudgetBar} books=${books} />
      ${dataset.blocks && html`<${ByBlock} dataset=${dataset} runs=${runs} books=${books} />`}
      ${books.allotments.length > 0 && html`<h2>Allotments</h2><${Table} caption="Ceilings inside the budget"
        head=${['Analyst', 'Limit', 'Spent', 'Left']} rows=${books.allotments.map((each) =>
          [each.analyst, spokenLimit(each.limit), spoken(each.spent, each.limit), spoken(each.remaining, each.limit)])}
        />`}
      ${entries === null
        ? html`<p class="quiet">The ledger is read by custodians, auditors and administrators.</p>`
        : html`<${Spending} books=${books} entries=${entries} divided=${dataset.blocks !== null} />
          <${Ledger} account=${dataset.sharesAccountWith ?? id} id=${id} entries=${entries}
            unit=${unitOf(books.limit)} />`}`}<//>`;
}

function ByBlock({ dataset, runs, books }) {
  const rows = runs.map((run) => ({ label: words.window(run), value: Number(deciding(run.spent)) }));
  return html`<h2>By block</h2>
    <p>Each block of ${dataset.blocks.column} has the whole budget. The bars show what is spent.</p>
    <${Bars} title="Spent by block" axis=${`spent (${unitOf(books.limit)})`} rows=${rows}
      scale=${[0, Number(deciding(books.limit))]} />
    <${Table} caption="Runs of equal blocks" head=${['From', 'To', 'State', 'Spent', 'Left']} rows=${runs.map((run) =>
      [run.from, run.to, run.state, spoken(run.spent, books.limit), spoken(run.remaining, books.limit)])} />`;
}

/** What was spent, by analyst; where blocks renew the budget, sums over time say nothing about what is left. */
function Spending({ books, entries, divided }) {
  const charges = entries.filter((entry) => entry.type === 'charge');
  if (charges.length === 0) {
    return html`<p>Nothing is spent yet.</p>`;
  }
  const spent = new Map();
  const lines = new Map();
  for (const entry of charges) {
    const sum = (spent.get(entry.analyst) ?? 0n) + exact(deciding(entry.charge));
    spent.set(entry.analyst, sum);
    const line = lines.get(entry.analyst) ?? [];
    line.push({ at: Date.parse(entry.at), left: Number(decimal(sum)) });
    lines.set(entry.analyst, line);
  }
  const limit = Number(deciding(books.limit));
  const points = entries.map((entry) => ({
    at: Date.parse(entry.at), left: Number(deciding(entry.limitAfter)) - Number(deciding(entry.spentAfter)) }));
  points.push({ at: Date.now(), left: points.at(-1).left });
  const since = Math.max(Date.now() - PACE_DAYS * DAY, points[0].at);
  const recent = charges.filter((entry) => Date.parse(entry.at) >= since)
    .reduce((sum, entry) => sum + Number(deciding(entry.charge)), 0);
  const days = Math.max(1, (Date.now() - since) / DAY);
  const lasts = recent > 0 ? points.at(-1).left / (recent / days) : null;
  const forecast = lasts !== null && lasts < 1000 ? { at: Date.now() + lasts * DAY, left: 0 } : null;
  return html`<h2>Spending</h2>
    ${!divided && html`<${BurnDown} title="What is left, and what each analyst spent" points=${points}
      lines=${[...lines]}
      limit=${Math.max(limit, ...points.map((point) => point.left))} forecast=${forecast}
      unit=${unitOf(books.limit)} />
    <p>${lasts === null ? 'Nothing was spent in the last days.'
      : `At the pace of the last ${days > 1 ? `${Math.ceil(days)} days` : 'day'}, the rest lasts about `
        + `${rounded(lasts, 2)} days.`}</p>`}
    <${Bars} title="Spent by analyst" axis=${`spent (${unitOf(books.limit)})`}
      scale=${divided ? null : [0, limit]} rows=${[...spent].map(([analyst, sum]) => ({
      label: analyst, value: Number(decimal(sum)) }))} />
    <${Table} caption="Spent by analyst"
      head=${['Analyst', 'Charges', `Spent (${unitOf(books.limit)})`, 'Of the limit']}
      rows=${[...spent].map(([analyst, sum]) => [
        analyst, charges.filter((entry) => entry.analyst === analyst).length, decimal(sum),
        `${rounded(100 * share(decimal(sum), deciding(books.limit)), 3)} %`])} />`;
}

const ALL = 'all';
const kindOf = ({ type, kind, allotmentAfter }) => (type === 'charge' ? kind : allotmentAfter ? 'allotment' : 'limit');

function Ledger({ account, id, entries, unit }) {
  const [analyst, setAnalyst] = useState(ALL);
  const [kind, setKind] = useState(ALL);
  const [verdict, setVerdict] = useState(null);
  const [busy, problem, check] = useAction(async () => {
    const said = await get(`/v1/datasets/${id}/ledger/verification`);
    const { count, head: end, broken } = await recomputed(account, pages(`/v1/datasets/${id}/ledger`));
    setVerdict(broken !== null ? `Entry ${broken.sequence} does not have the hash that follows from it.`
      : said.head === end
        ? `All ${count} entries have their hashes, recomputed in this browser, and end where the service says.`
        : `All ${count} entries have their hashes, recomputed in this browser. They do not end where the service said:`
          + ' either new ones were written meanwhile, or it is wrong. Try again.');
  });
  const shown = entries.filter((entry) => (analyst === ALL || entry.analyst === analyst)
    && (kind === ALL || kindOf(entry) === kind));
  const some = (pick) => [ALL, ...new Set(entries.map(pick))];
  const head = ['Entry', 'When', 'Who', 'What', `Charge (${unit})`, `Spent after (${unit})`, 'Blocks', 'Hash'];
  const rows = [...shown].reverse().map((entry) => [
    entry.sequence, words.moment(entry.at), entry.analyst, html`<span class="said">${said(entry)}</span>`,
    deciding(entry.charge), deciding(entry.spentAfter), entry.blocks && words.window(entry.blocks),
    html`<span title=${entry.hash}>${entry.hash.slice(0, 12)}</span>`]);
  return html`<h2>Ledger</h2>
    <div class="row">
      <${Select} label="Analyst" value=${analyst} options=${some((entry) => entry.analyst)} onChange=${setAnalyst} />
      <${Select} label="Kind" value=${kind} onChange=${setKind}
        options=${some(kindOf).map((each) => [each, KINDS[each]?.title ?? each])} /></div>
    <${Table} head=${head} rows=${rows} caption=${`${shown.length} of ${entries.length === MOST_ENTRIES
      ? 'the newest ' : ''}${entries.length} entries, the newest first`} />
    <div class="actions"><button class="secondary" aria-busy=${busy} disabled=${!canCompute} onClick=${check}>
        Recompute the chain</button>
      <${Download} name=${`${id}-ledger.csv`} path=${`/v1/datasets/${id}/ledger?limit=1000`}>
        CSV of all entries<//></div>
    ${!canCompute && html`<p>This browser computes no hashes on pages that came without encryption.</p>`}
    <${Refusal} problem=${problem} />${verdict && html`<p role="status"><strong>${verdict}</strong></p>`}`;
}
