/** Registers a dataset: its public facts, whom it protects, its budget, and the guarantee in words as it is typed. */
import { html, Heading } from './parts.js';
import { isAmount } from './amounts.js';
import { post } from './api.js';
import { Entry, Only, Send, list, number, text, useForm } from './forms.js';
import * as words from './words.js';

const COLUMN = { name: '', type: 'integer', lower: '', upper: '', resolution: '', categories: '', missing: '' };

const EMPTY = {
  id: '', title: '', columns: [COLUMN],
  privacyUnit: { type: 'row', column: '', maxRows: '1', idType: 'text' },
  neighboringRelation: 'add-or-remove-one', maxRows: '100000',
  accountant: 'pure', budget: { epsilon: '3', delta: '0.000001' },
  blocks: { use: 'no', column: '', width: 'day', rowsKeepTheirBlock: 'no' },
  source: { type: 'upload', connection: '', table: '' },
};

const BOUNDS = {
  integer: { lower: 'Least', upper: 'Greatest', resolution: 'Step (1)' },
  decimal: { lower: 'Least', upper: 'Greatest', resolution: 'Step' },
  date: { lower: 'First', upper: 'Last' },
  timestamp: { lower: 'First', upper: 'Last', resolution: 'Step in seconds' },
};
const isNumeric = (type) => ['integer', 'decimal'].includes(type);
const bound = (type, typed) => (isNumeric(type) ? number(typed) : text(typed));

function column({ name, type, lower, upper, resolution, categories, missing }) {
  const isTruth = type === 'boolean' && ['true', 'false'].includes(missing);
  return {
    name, type, missing: isTruth ? missing === 'true' : bound(type, missing),
    ...BOUNDS[type] && { lower: bound(type, lower), upper: bound(type, upper) },
    ...BOUNDS[type]?.resolution && { resolution: number(resolution) },
    ...type === 'category' && { categories: list(categories, '\n') },
  };
}

/** What is sent. Members that are undefined are left out of the JSON. */
function registration(values) {
  const { privacyUnit: unit, blocks, source } = values;
  return {
    id: values.id.trim(), title: text(values.title), columns: values.columns.map(column),
    privacyUnit: unit.type === 'row' ? { type: 'row' } : { ...unit, maxRows: number(unit.maxRows) },
    neighboringRelation: values.neighboringRelation, maxRows: number(values.maxRows), accountant: values.accountant,
    budget: { ...values.budget, ...values.accountant === 'pure' && { delta: '0' } },
    source: source.type === 'upload' ? { type: 'upload' } : source,
    ...blocks.use === 'yes' && { blocks: {
      column: blocks.column, width: number(blocks.width),
      rowsKeepTheirBlock: blocks.rowsKeepTheirBlock === 'yes' || undefined } },
  };
}

export const Page = () => html`<${Only} roles=${['custodian']} title="Register a dataset"><${Register} /><//>`;

function Register() {
  const form = useForm(EMPTY, async (values) => {
    const { id } = await post('/v1/datasets', registration(values));
    location.hash = `#/datasets/${id}/rows`;
  });
  const { values } = form;
  return html`<${Heading}>Register a dataset<//>
    <p>All of this is public: everybody who is granted the dataset reads it. Take bounds and categories from what is
      known of such data, never from the rows themselves.</p>
    <form onSubmit=${form.submit} novalidate>
      <div class="row top">
        <${Entry} form=${form} at="/id" label="Id" help="Such as visits-2026. It is never used again." />
        <${Entry} form=${form} at="/title" label="Title" help="May be empty." /></div>
      <${Columns} form=${form} />
      <${Unit} form=${form} />
      <${Budget} form=${form} />
      <${Blocks} form=${form} />
      <${Source} form=${form} />
      <article aria-live="polite"><h2>What this promises</h2><${Promised} values=${values} /></article>
      <${Send} form=${form}>Register<//>
    </form>`;
}

function Columns({ form }) {
  const { columns } = form.values;
  return html`<h2>Columns</h2>
    <p class="quiet">Name each as the header of the data does. Columns that are not listed are not stored.</p>
    ${columns.map(({ type }, i) => {
      const entry = (name, label, others = {}) =>
        html`<${Entry} form=${form} at=${`/columns/${i}/${name}`} label=${label} ...${others} />`;
      const kind = { inputmode: isNumeric(type) ? 'decimal' : null, type: type === 'date' ? 'date' : 'text',
        placeholder: type === 'timestamp' ? '2026-01-01T00:00:00Z' : null };
      return html`<fieldset class="part"><legend>Column ${i + 1}</legend><div class="row top">
        ${entry('name', 'Name')}
        ${entry('type', 'Type', { options: ['integer', 'decimal', 'category', 'boolean', 'date', 'timestamp'],
          onChange: (at, chosen) => form.set(`/columns/${i}`, { ...COLUMN, name: columns[i].name, type: chosen }) })}
        ${BOUNDS[type] && html`${entry('lower', BOUNDS[type].lower, kind)}${entry('upper', BOUNDS[type].upper, kind)}`}
        ${BOUNDS[type]?.resolution && entry('resolution', BOUNDS[type].resolution, { inputmode: 'decimal' })}
        ${type === 'category' && entry('categories', 'Categories, each on a line', { lines: true })}
        ${entry('missing', 'If missing', { placeholder: 'reject', help: 'Refuse the upload, or a value instead.' })}
        ${columns.length > 1 && html`<button type="button" class="outline small"
          onClick=${() => form.set('/columns', columns.filter((unused, j) => j !== i))}>
          Remove column ${i + 1}</button>`}
      </div></fieldset>`;
    })}
    <button type="button" class="secondary small" onClick=${() => form.set('/columns', [...columns, COLUMN])}>
      One more column</button>`;
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
    </div>`;
}

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
