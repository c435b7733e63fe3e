/** Registers a dataset: its public facts, whom it protects, its budget, and the guarantee in words as it is typed. */
import { html, Field, Heading, Loaded, Refusal, useAction, useLoaded, useState } from './parts.js';
import { isAmount } from './amounts.js';
import { get, post } from './api.js';
import { Confirmed, Entry, Only, Send, number, text, useForm } from './forms.js';
import { MOST_CATEGORIES, proposed, usual } from './propose.js';
import { handOver } from './rows.js';
import * as words from './words.js';

/** A column as it is typed. `read` names the members that were taken from rows and that nobody confirmed yet. */
const COLUMN = {
  name: '', type: 'integer', lower: '', upper: '', resolution: '', categories: '', missing: '', read: [], kept: true,
};

const EMPTY = {
  id: '', title: '', columns: [COLUMN],
  privacyUnit: { type: 'row', column: '', maxRows: '1', idType: 'text' },
  neighboringRelation: 'add-or-remove-one', maxRows: '100000',
  accountant: 'pure', budget: { epsilon: '3', delta: '0.000001' },
  blocks: { use: 'no', column: '', width: 'day', rowsKeepTheirBlock: 'no' },
  source: { type: 'upload', connection: '', table: '' }, again: 'no', sharesAccountWith: '',
};

const BOUNDED = ['integer', 'decimal', 'date', 'timestamp'];
const STEPPED = ['integer', 'decimal', 'timestamp'];
const isNumeric = (type) => ['integer', 'decimal'].includes(type);
const bound = (type, typed) => (isNumeric(type) ? number(typed) : text(typed));

function column({ name, type, lower, upper, resolution, categories, missing }) {
  const isTruth = type === 'boolean' && ['true', 'false'].includes(missing);
  return {
    name, type, missing: isTruth ? missing === 'true' : bound(type, missing),
    ...BOUNDED.includes(type) && { lower: bound(type, lower), upper: bound(type, upper) },
    ...STEPPED.includes(type) && { resolution: number(resolution) },
    ...type === 'category' && { categories: categories.split(/\r?\n/).filter(Boolean) },
  };
}

/** The body that is sent. Members that are undefined are left out of the JSON. */
function registration(values) {
  const { privacyUnit: unit, blocks, source, again } = values;
  return {
    id: values.id.trim(), title: text(values.title),
    columns: values.columns.filter(({ kept }) => kept).map(column),
    privacyUnit: unit.type === 'row' ? { type: 'row' } : { ...unit, maxRows: number(unit.maxRows) },
    neighboringRelation: values.neighboringRelation, maxRows: number(values.maxRows), accountant: values.accountant,
    budget: { ...values.budget, ...values.accountant === 'pure' && { delta: '0' } },
    source: source.type === 'upload' ? { type: 'upload' } : source,
    ...blocks.use === 'yes' && { blocks: {
      column: blocks.column, width: number(blocks.width),
      rowsKeepTheirBlock: blocks.rowsKeepTheirBlock === 'yes' || undefined } },
    ...again === 'shares' && { sharesAccountWith: text(values.sharesAccountWith) },
    ...again === 'public' && { declaredPublic: true }, ...again === 'others' && { declaredOtherPeople: true },
  };
}

/** The form as a dataset was registered, for another id. What was spent of its account stays with its rows. */
function again(dataset) {
  const { epsilon, delta } = dataset.budget;
  const typed = (value) => (value === undefined || value === null || value === 'reject' ? '' : String(value));
  return {
    ...EMPTY, id: `${dataset.id}-2`, title: dataset.title ?? '', maxRows: String(dataset.maxRows),
    columns: dataset.columns.map(({ categories, ...each }) => ({
      ...COLUMN, ...Object.fromEntries(Object.entries(each).map(([name, value]) => [name, typed(value)])),
      categories: (categories ?? []).join('\n') })),
    privacyUnit: { ...EMPTY.privacyUnit, ...dataset.privacyUnit }, neighboringRelation: dataset.neighboringRelation,
    accountant: dataset.accountant, budget: { epsilon, delta }, source: { ...EMPTY.source, ...dataset.source },
    ...words.owes(dataset) && { again: 'shares', sharesAccountWith: dataset.id },
  };
}

export const Page = ({ parts: [id] }) => html`<${Only} roles=${['custodian']} title="Register a dataset">
  ${id ? html`<${Again} id=${id} />` : html`<${Register} first=${EMPTY} />`}<//>`;

function Again({ id }) {
  const loaded = useLoaded(() => get(`/v1/datasets/${id}`), [id]);
  return html`<${Loaded} of=${loaded}>${(dataset) => html`<${Register} first=${again(dataset)} old=${id} />`}<//>`;
}

const isMarked = ({ kept, read }) => kept && read.length > 0;

function Register({ first, old }) {
  const [file, setFile] = useState(null);
  const form = useForm(first, async (values) => {
    const { id } = await post('/v1/datasets', registration(values));
    file && values.source.type === 'upload' && handOver(id, file);
    location.hash = `#/datasets/${id}/rows`;
  });
  const { values } = form;
  const marked = values.columns.filter(isMarked);
  return html`<${Heading}>Register a dataset${old && ` again: ${old}`}<//>
    <p>All of this is public: everybody who is granted the dataset reads it. Take bounds and categories from what is
      known of such data, never from the rows themselves.</p>
    <form onSubmit=${form.submit} novalidate>
      <${FromFile} form=${form} file=${file} setFile=${setFile} />
      <div class="row top">
        <${Entry} form=${form} at="/id" label="Id" help="Such as visits-2026. It is never used again." />
        <${Entry} form=${form} at="/title" label="Title" help="May be empty." /></div>
      <${Columns} form=${form} marked=${marked} />
      <${Unit} form=${form} />
      <${Budget} form=${form} />
      <${Blocks} form=${form} />
      <${Source} form=${form} />
      <article aria-live="polite"><h2>What this promises</h2><${Promised} values=${values} /></article>
      ${marked.length > 0 && html`<p>Before it can be registered, confirm or replace what was read off the rows:
        ${' '}${marked.map(({ name }) => name).join(', ')}.</p>`}
      <${Send} form=${form} disabled=${marked.length > 0}>
        ${file && values.source.type === 'upload' && values.blocks.use === 'no'
          ? 'Register and upload' : 'Register'}<//>
    </form>`;
}

/** A file that proposes the columns. It does not leave the browser before the dataset is registered. */
function FromFile({ form, file, setFile }) {
  const [share, setShare] = useState(null);
  const [rows, setRows] = useState(null);
  const [busy, problem, read] = useAction(async (chosen) => {
    const found = await proposed(chosen, setShare).catch((failure) => {
      throw failure instanceof TypeError
        ? new Error('The file is not text in UTF-8. Save it as CSV in UTF-8, or fill in the form by hand.') : failure;
    });
    const name = chosen.name.replace(/\.\w+$/, '');
    setFile(chosen);
    setRows(found.rows);
    form.setValues((now) => ({
      ...now, columns: found.columns, title: now.title || name,
      id: now.id || name.toLowerCase().replace(/[^a-z0-9]+/g, '-').replace(/^[^a-z]+|-$/g, '').slice(0, 63),
    }));
  });
  const take = (files) => files[0] && read(files[0]);
  return html`<fieldset class="part drop" onDragOver=${(event) => event.preventDefault()}
      onDrop=${(event) => { event.preventDefault(); take(event.dataTransfer.files); }}>
    <${Field} label="Begin with a CSV file: choose it, or drop it here" help=${`This browser reads it and proposes the
      columns below. Nothing is sent before you register.`}>
      <input type="file" accept=".csv,text/csv" disabled=${busy} onChange=${({ target }) => take(target.files)} /><//>
    ${busy && html`<progress max="1" value=${share} aria-label="Read so far" />`}
    <${Refusal} problem=${problem} />
    <div role="status">${file && !busy && `${file.name} was read. `}
      ${rows > Number(form.values.maxRows) && html`<strong>It has more rows than “Rows at most” below allows. Choose
        more, by what such data can have: ${10 ** Math.ceil(Math.log10(rows))} or above.</strong>`}</div></fieldset>`;
}

function Columns({ form, marked }) {
  const { columns } = form.values;
  const confirm = (which) => form.set('/columns', columns.map((each) => (which(each) ? { ...each, read: [] } : each)));
  return html`<h2>Columns</h2>
    <p class="quiet">Name each as the header of the data does. Columns that are not kept are not stored. A step is the
      distance of the values that are told apart. If a value is missing, the upload is refused, or what you enter takes
      its place.</p>
    ${marked.length > 0 && html`<div class="refusal" role="note"><strong>Is this public?</strong>
      <p>What is marked “from the rows” was read off the file: a bound reveals the extremes, and a category that
        somebody is in it. Everybody who is granted the dataset will read it. Replace what is not known from elsewhere:
        bounds by what such values can be, categories by the official list. Or leave the column out.</p>
      <${Confirmed} label=${`Confirm all ${marked.length} columns as public`}
        question="You have looked at each of them?" onConfirm=${() => confirm(isMarked)} /></div>`}
    <div class="scroll tall" tabindex="0" role="region" aria-label="Columns"><table class="entries">
      <thead><tr>${['Keep', 'Name', 'Type', 'From', 'To', 'Step', 'Categories, each on a line', 'If missing', 'Public?']
        .map((each) => html`<th scope="col">${each}</th>`)}</tr></thead>
      <tbody>${columns.map((each, i) => html`<${ColumnRow} form=${form} each=${each} i=${i}
        onConfirm=${() => confirm((other) => other === each)} />`)}</tbody></table></div>
    <button type="button" class="secondary small" onClick=${() => form.set('/columns', [...columns, COLUMN])}>
      One more column</button>`;
}

function ColumnRow({ form, each, i, onConfirm }) {
  const { name, type, kept, read } = each;
  const change = (changes) => form.set(`/columns/${i}`, { ...each, ...changes });
  const entry = (member, label, others = {}) => html`<td class=${read.includes(member) ? 'marked' : ''}>
    <${Entry} form=${form} at=${`/columns/${i}/${member}`} label=${`${label} of column ${i + 1}`} bare ...${others}
      help=${read.includes(member) && 'from the rows'} onChange=${others.onChange ?? ((at, value) =>
        change({ [member]: value, read: read.filter((other) => other !== member) }))} /></td>`;
  const bounded = BOUNDED.includes(type);
  const kind = { inputmode: isNumeric(type) ? 'decimal' : null, type: type === 'date' ? 'date' : 'text', size: 8,
    placeholder: type === 'timestamp' ? '2026-01-01T00:00:00Z' : null };
  const suggested = isNumeric(type) && usual(name);
  const nothing = html`<td></td>`;
  return html`<tr class=${kept ? '' : 'left-out'}>
    <td><${Field} bare label=${`Keep column ${i + 1}`}><input type="checkbox" checked=${kept}
      onChange=${({ target }) => change({ kept: target.checked })} /><//></td>
    ${entry('name', 'Name')}
    ${entry('type', 'Type', { options: ['integer', 'decimal', 'category', 'boolean', 'date', 'timestamp'],
      onChange: (at, chosen) => form.set(`/columns/${i}`, { ...COLUMN, name, type: chosen }) })}
    ${bounded ? entry('lower', 'From', kind) : nothing}
    ${bounded ? entry('upper', 'To', kind) : nothing}
    ${STEPPED.includes(type)
      ? entry('resolution', 'Step', { inputmode: 'decimal', size: 4, placeholder: type === 'decimal' ? null : '1' })
      : nothing}
    ${type === 'category' ? entry('categories', 'Categories', { lines: true }) : nothing}
    ${entry('missing', 'If missing', { placeholder: 'refuse', size: 8 })}
    <td>${!kept ? html`<small>${type === 'category' && each.categories === ''
        && `Left out: no text, more than ${MOST_CATEGORIES}, or several lines.`}</small>`
      : read.length > 0 && html`<button type="button" class="outline small" aria-label=${`Confirm ${name} as public`}
          onClick=${onConfirm}>Confirm</button>`}
      ${kept && suggested && (each.lower !== String(suggested[0]) || each.upper !== String(suggested[1]))
        && html`<button type="button" class="outline small" onClick=${() => change({
            lower: String(suggested[0]), upper: String(suggested[1]),
            read: read.filter((other) => !['lower', 'upper'].includes(other)) })}>
          ${suggested.join('–')}</button>`}</td></tr>`;
}

function Unit({ form }) {
  const { type } = form.values.privacyUnit;
  return html`<h2>Whom it protects</h2><div class="row top">
      <${Entry} form=${form} at="/privacyUnit/type" label="Each" options=${['row', ['column', 'id in a column']]}
        help=${type === 'row' ? 'A person has one row.' : 'A person has several rows.'} />
      ${type === 'column' && html`
        <${Entry} form=${form} at="/privacyUnit/column" label="Column of the ids" help="It is not stored." />
        <${Entry} form=${form} at="/privacyUnit/maxRows" label="Rows kept of each" inputmode="numeric"
          help="More rows, more noise." />
        <${Entry} form=${form} at="/privacyUnit/idType" label="Ids are"
          options=${['text', ['integer', 'integers']]} />`}
    </div><div class="row top">
      <${Entry} form=${form} at="/neighboringRelation" label="What stays hidden" options=${[
        ['add-or-remove-one', 'whether somebody is in the data'], ['replace-one', 'what somebody’s data say']]} />
      <${Entry} form=${form} at="/maxRows" label="Rows at most" inputmode="numeric"
        help="An upload with more is refused." />
    </div>`;
}

function Budget({ form }) {
  const { accountant } = form.values;
  return html`<h2>Budget</h2><div class="row top">
    <${Entry} form=${form} at="/accountant" label="How losses add up" options=${[['pure', 'pure: epsilons'],
      ['approximate', 'approximate: epsilons and deltas'], ['zcdp', 'zcdp: many small questions cost less']]} />
    <${Entry} form=${form} at="/budget/epsilon" label="Epsilon of all answers" inputmode="decimal" />
    ${accountant !== 'pure' && html`<${Entry} form=${form} at="/budget/delta" label="Delta"
      help="Far below one divided by the rows." />`}
  </div>`;
}

function Blocks({ form }) {
  const { blocks, columns } = form.values;
  const dates = columns.find(({ name }) => name === blocks.column)?.type !== 'integer';
  const named = columns.filter(({ name, type }) => name && ['date', 'integer'].includes(type)).map(({ name }) => name);
  return html`<h2>Blocks</h2><div class="row top">
      <${Entry} form=${form} at="/blocks/use" label="Does the data grow?" options=${['no', 'yes']}
        help=${blocks.use === 'no' ? 'All rows come at once.' : 'Each block has the whole budget.'} />
      ${blocks.use === 'yes' && html`
        <${Entry} form=${form} at="/blocks/column" label="Divided by" options=${['', ...named]}
          help="A date or an integer." />
        <${Entry} form=${form} at="/blocks/width" label="A block is a" ...${dates
          ? { options: ['day', 'week', 'month'] } : { inputmode: 'numeric', help: 'So many integers.' }} />
        <${Entry} form=${form} at="/blocks/rowsKeepTheirBlock" label="Can a row's block change?" options=${[
          ['no', 'I do not know'], ['yes', 'never']]} help="If it can, each value is a new budget for the row." />`}
    </div>`;
}

function Source({ form }) {
  return html`<h2>Rows</h2><div class="row top">
      <${Entry} form=${form} at="/source/type" label="They come from" options=${[
        ['upload', 'a file, uploaded next'], ['table', 'a table of a database']]} />
      ${form.values.source.type === 'table' && html`
        <${Entry} form=${form} at="/source/connection" label="Connection"
          help="As the service's configuration calls it." />
        <${Entry} form=${form} at="/source/table" label="Table"
          help="With its schema. Every column needs a value if missing." />`}
      <${Entry} form=${form} at="/again" label="Were the same rows registered before?" options=${[
        ['no', 'no'], ['shares', 'yes, as a dataset of mine'], ['public', 'they are public or invented'],
        ['others', 'equal rows, about other people']]} help=${AGAIN[form.values.again]} />
      ${form.values.again === 'shares' && html`<${Entry} form=${form} at="/sharesAccountWith" label="Its id"
        help="Deleted or not. Repeat its budget, accountant, unit and what stays hidden." />`}
    </div>`;
}

/** The consequence of each answer to "registered before?". */
const AGAIN = {
  no: 'Rows that have an account are refused under another.',
  shares: 'Both datasets then debit one account: what was spent stays spent.',
  public: 'Every answer will say that you declared it.', others: 'Every answer will say that you declared it.',
};

function Promised({ values }) {
  const { budget, blocks, privacyUnit } = values;
  if (!isAmount(budget.epsilon)) {
    return html`<p>Enter an epsilon, a number such as 3 or 0.5.</p>`;
  }
  const dataset = {
    ...values,
    privacyUnit: { ...privacyUnit, column: privacyUnit.column || 'id', maxRows: number(privacyUnit.maxRows) },
    blocks: blocks.use === 'yes' ? { ...blocks, column: blocks.column || '…' } : null,
  };
  return html`<p>${words.protection(dataset)}</p><p>${words.allowed(dataset, budget)}</p>`;
}
