/**
 * The kinds of questions: what a form asks for, what is sent, and on which scale the answer will be. Names, choices and
 * explanations of further options come from the service's own description.
 */
import { html, Field, Select, Text, useLoaded } from './parts.js';
import { decimal, exact } from './amounts.js';
import { DAY } from './blocks.js';
import { number, text } from './forms.js';

const NUMBERS = ['integer', 'decimal'];
const ORDERED = [...NUMBERS, 'date', 'timestamp'];
const LISTED = ['category', 'boolean'];

const of = (dataset, types) => dataset.columns.filter((column) => types.includes(column.type));
const named = (dataset, name) => dataset.columns.find((column) => column.name === name);
const first = (dataset, types) => of(dataset, types)[0]?.name;
const isNumeric = (column) => NUMBERS.includes(column.type);
export const categories = (column) => (column.type === 'boolean' ? ['false', 'true'] : column.categories ?? []);

/** A box for each name: which of them are chosen. */
const Checks = ({ names, chosen, onChange }) => names.map((name) => html`<label>
  <input type="checkbox" checked=${chosen.includes(name)} onChange=${(event) => onChange(event.target.checked
    ? [...chosen, name] : chosen.filter((other) => other !== name))} /> ${name}</label>`);

/** Edges of so many bins over all values of a column, on its grid; the last is above the upper bound. */
export function edges(column, bins) {
  if (!isNumeric(column)) {
    const [low, high] = [Date.parse(column.lower), Date.parse(column.upper) + DAY];
    const days = Math.max(1, Math.ceil((high - low) / DAY / bins));
    return Array.from({ length: Math.ceil((high - low) / DAY / days) + 1 }, (unused, i) => {
      const at = new Date(low + i * days * DAY).toISOString();
      return column.type === 'date' ? at.slice(0, 10) : at;
    });
  }
  const step = exact(column.resolution);
  const low = exact(column.lower);
  const points = (exact(column.upper) - low) / step + 1n;
  const each = (points + BigInt(bins) - 1n) / BigInt(bins);
  const found = [];
  for (let point = 0n; point < points + each; point += each) {
    found.push(Number(decimal(low + point * step))); // at most 2^40 points: a double has all their digits
  }
  return found;
}

/** The ends of a column as numbers, for a picture's axis. */
export const ends = (column) => (isNumeric(column)
  ? [Number(column.lower), Number(column.upper)]
  : [Date.parse(column.lower), Date.parse(column.upper)]);

const rows = (dataset) => [0, dataset.maxRows];

/** The column of a question: its form's own state has it. */
function Column({ dataset, types, state, set }) {
  return html`<${Select} label="Column" value=${state.column} onChange=${(column) => set({ column })}
    options=${of(dataset, types).map((column) => column.name)} />`;
}

function Bins({ value, onChange, label = 'Divided into' }) {
  return html`<${Select} label=${label} value=${String(value)} onChange=${(text) => onChange(Number(text))}
    options=${[2, 3, 4, 5, 6, 8, 10, 12, 20, 50, 100].map((bins) => [String(bins), `${bins} parts`])} />`;
}

const BinsOf = ({ state, set }) => html`<${Bins} value=${state.bins} onChange=${(bins) => set({ bins })} />`;

const QUANTILES = [
  ['0.5', 'the median'], ['0.25,0.5,0.75', 'the quartiles'], ['0.1,0.2,0.3,0.4,0.5,0.6,0.7,0.8,0.9', 'the deciles'],
  ['0.05,0.95', '5 % and 95 %'],
];

/** Each bin or category as a filter. */
function parts(column, bins) {
  if (LISTED.includes(column.type)) {
    return categories(column).map((category) => [{ column: column.name, in: [category] }]);
  }
  const at = edges(column, bins);
  return at.slice(0, -1).map((low, i) => [{ column: column.name, atLeast: low, below: at[i + 1] }]);
}

const AGGREGATES = {
  mean: 'mean', sum: 'sum', variance: 'variance', standardDeviation: 'standard deviation',
};

/** What can be counted: rows, and the units that a column names, as [what is sent, in words]. */
const counted = ({ privacyUnit }) => [['rows', 'rows'],
  ...privacyUnit.type === 'column' ? [['units', `${privacyUnit.column}, each once`]] : []];
const isCounted = (what) => what === 'rows' || what === 'units';

function GroupBy({ dataset, value, onChange }) {
  const key = (name, bins = 5) => {
    const column = named(dataset, name);
    return LISTED.includes(column.type) || dataset.blocks?.column === name
      ? { column: name } : { column: name, edges: edges(column, bins) };
  };
  const chosen = value.map((each) => each.column);
  return html`<fieldset class="part"><legend>For each</legend>
    ${dataset.columns.map((column) => html`<label>
      <input type="checkbox" checked=${chosen.includes(column.name)}
        disabled=${!chosen.includes(column.name) && chosen.length === 4}
        onChange=${(event) => onChange(event.target.checked
          ? [...value, key(column.name)] : value.filter((each) => each.column !== column.name))} />
      ${column.name}</label>
      ${value.filter((each) => each.column === column.name && each.edges).map((each) => html`<${Bins}
        label=${`Parts of ${column.name}`} value=${each.bins ?? 5}
        onChange=${(bins) => onChange(value.map((other) =>
          (other === each ? { ...key(column.name, bins), bins } : other)))} />`)}`)}
  </fieldset>`;
}

function Aggregates({ dataset, value, onChange }) {
  const numbers = of(dataset, NUMBERS).map((column) => column.name);
  const change = (i, aggregate) => onChange(value.map((each, j) => (i === j ? aggregate : each)));
  return html`<fieldset class="part"><legend>The table has</legend>
    ${value.map((each, i) => html`<div class="row">
      <${Select} label=${`Value ${i + 1}`} value=${each.what} options=${[
        ...counted(dataset).map(([what, words]) => [what, `number of ${words}`]),
        ...numbers.length > 0 ? Object.entries(AGGREGATES) : []]}
        onChange=${(what) => change(i, { what, column: each.column ?? numbers[0] })} />
      ${!isCounted(each.what) && html`<${Select} label=${`of column (value ${i + 1})`} value=${each.column}
        options=${numbers} onChange=${(column) => change(i, { ...each, column })} />`}
      ${value.length > 1 && html`<button type="button" class="outline small"
        aria-label=${`Remove value ${i + 1}`} onClick=${() => onChange(value.filter((other) => other !== each))}>
        Remove</button>`}
    </div>`)}
    <button type="button" class="outline small" onClick=${() => onChange([...value, { what: 'rows' }])}>
      One more value</button>
  </fieldset>`;
}

/** Questions about one numeric column, without anything else. */
const ABOUT_NUMBERS = {
  needs: NUMBERS,
  start: (dataset) => ({ column: first(dataset, NUMBERS) }),
  fields: (form) => html`<${Column} ...${form} types=${NUMBERS} />`,
  request: (dataset, { column }) => ({ column }),
};

/** The keys as they are sent. */
const keysOf = ({ groupBy }) => groupBy.map(({ bins, ...key }) => key);

/** How many groups a table has. */
const groupsOf = (dataset, { groupBy }, blocks) => groupBy.reduce((product, key) => product * (key.edges
  ? key.edges.length - 1 : dataset.blocks?.column === key.column
    ? blocks.latest ?? 1 : categories(named(dataset, key.column)).length), 1);

/**
 * Each kind: title in words; needs, the types of a column without which it cannot be asked; start, what its form begins
 * with, where nothing is ticked; fields, its form; shows, the further option that the form has; assumes, whose number of
 * rows the expected error depends on, in words, if it does; groups, how many there are; request, what is sent; scale,
 * the ends of the axis of its answers.
 */
export const KINDS = {
  mean: {
    title: 'Mean of a column', assumes: () => ['Rows that count, about', 'there are'],
    ...ABOUT_NUMBERS,
    scale: (dataset, state) => ends(named(dataset, state.column)),
  },
  aggregate: {
    title: 'Table by groups', groups: groupsOf,
    assumes: ({ aggregates }) => (aggregates.some(({ what }) => !isCounted(what) && what !== 'sum')
      ? ['Rows in each group, about', 'each group has'] : null),
    start: (dataset) => ({
      groupBy: [],
      aggregates: of(dataset, NUMBERS).length > 0
        ? [{ what: 'mean', column: first(dataset, NUMBERS) }, { what: 'rows' }] : [{ what: 'rows' }],
    }),
    fields: ({ dataset, state, set }) => html`
      <${GroupBy} dataset=${dataset} value=${state.groupBy} onChange=${(groupBy) => set({ groupBy })} />
      <${Aggregates} dataset=${dataset} value=${state.aggregates} onChange=${(aggregates) => set({ aggregates })} />`,
    request: (dataset, state) => ({
      groupBy: keysOf(state),
      aggregates: state.aggregates.map(({ what, column }) =>
        (isCounted(what) ? { count: { of: what } } : { [what]: { column } })),
    }),
    scale: (dataset, state) => (state.aggregates[0].what === 'mean'
      ? ends(named(dataset, state.aggregates[0].column)) : null),
  },
  count: {
    title: 'Number of rows', start: () => ({ what: 'rows' }), shows: 'of',
    fields: ({ dataset, state, set }) => counted(dataset).length > 1 && html`<${Select} label="What is counted"
      value=${state.what} options=${counted(dataset)} onChange=${(what) => set({ what })} />`,
    request: (dataset, { what }) => ({ of: what }), scale: rows,
  },
  sum: {
    title: 'Sum of a column',
    ...ABOUT_NUMBERS,
    scale: (dataset, state) => ends(named(dataset, state.column)).map((end, i) => (i === 0
      ? Math.min(0, end) : Math.max(0, end)) * dataset.maxRows),
  },
  histogram: {
    title: 'Histogram of a column',
    start: (dataset) => ({ column: dataset.columns[0].name, bins: 10 }),
    fields: (form) => html`<div class="row"><${Column} ...${form} types=${[...ORDERED, ...LISTED]} />
      ${hasEdges(form.dataset, form.state.column) && html`<${BinsOf} ...${form} />`}</div>`,
    request: (dataset, state) => ({
      column: state.column,
      ...hasEdges(dataset, state.column) ? { edges: edges(named(dataset, state.column), state.bins) } : {},
    }),
    scale: rows,
  },
  quantile: {
    title: 'Median and quantiles', needs: ORDERED, groups: groupsOf,
    start: (dataset) => ({ column: first(dataset, ORDERED), probabilities: QUANTILES[0][0], groupBy: [] }),
    fields: ({ dataset, state, set }) => html`<div class="row">
      <${Column} dataset=${dataset} state=${state} set=${set} types=${ORDERED} />
      <${Select} label="Which" value=${state.probabilities} options=${QUANTILES}
        onChange=${(probabilities) => set({ probabilities })} /></div>
      <${GroupBy} dataset=${dataset} value=${state.groupBy} onChange=${(groupBy) => set({ groupBy })} />`,
    request: (dataset, state) => ({
      column: state.column, probabilities: state.probabilities.split(',').map(Number),
      ...state.groupBy.length > 0 ? { groupBy: keysOf(state) } : {},
    }),
    scale: rows,
  },
  'sparse-range': {
    title: 'Ranges with many rows', needs: ORDERED,
    start: (dataset) => ({
      column: first(dataset, ORDERED), bins: 20, threshold: '100', maxPositives: '3', release: 'values' }),
    fields: (form) => html`<div class="row">
      <${Column} ...${form} types=${ORDERED} /><${BinsOf} ...${form} /></div>
      <${AtLeast} ...${form} />
      <${Text} label="Ranges to find, at most" type="number" min="1" max="1000" value=${form.state.maxPositives}
        onChange=${(maxPositives) => form.set({ maxPositives })} />`,
    request: (dataset, state) => ({
      column: state.column, threshold: Number(state.threshold), maxPositives: Number(state.maxPositives),
      release: state.release,
      ranges: parts(named(dataset, state.column), state.bins).map(([{ atLeast, below }]) => ({ atLeast, below })),
    }),
    scale: rows,
  },
  threshold: {
    title: 'First group with many rows',
    start: (dataset) => ({ column: (of(dataset, LISTED)[0] ?? dataset.columns[0]).name, bins: 10, threshold: '100' }),
    fields: (form) => html`<div class="row"><${Column} ...${form} types=${[...LISTED, ...ORDERED]} />
      ${!LISTED.includes(named(form.dataset, form.state.column).type) && html`<${BinsOf} ...${form} />`}</div>
      <${AtLeast} ...${form} />`,
    request: (dataset, state) => ({
      threshold: Number(state.threshold),
      queries: parts(named(dataset, state.column), state.bins).map((where) => ({ count: { where } })),
    }),
    scale: rows,
  },
  'local-mean': {
    title: 'Mean by local randomization',
    offered: (dataset) => dataset.neighboringRelation === 'replace-one' && dataset.privacyUnit.type === 'row',
    ...ABOUT_NUMBERS,
    scale: (dataset, state) => ends(named(dataset, state.column)),
  },
  synopsis: {
    title: 'Synopsis: bought once, asked for ever', path: 'synopses',
    start: () => ({ columns: [], bins: 20 }),
    fields: ({ dataset, state, set }) => html`<fieldset class="part"><legend>Columns</legend>
      <${Checks} names=${dataset.columns.map(({ name }) => name)} chosen=${state.columns}
        onChange=${(columns) => set({ columns })} />
      <${Bins} label="Numbers and dates divided into" value=${state.bins}
        onChange=${(bins) => set({ bins })} /></fieldset>`,
    request: (dataset, state) => ({
      columns: state.columns.map((name) => (LISTED.includes(named(dataset, name).type)
        ? { column: name } : { column: name, edges: edges(named(dataset, name), state.bins) })),
      ...state.columns.length > 2 ? { marginals: 2 } : {},
    }),
    scale: rows,
  },
};

const hasEdges = (dataset, name) => !LISTED.includes(named(dataset, name).type) && dataset.blocks?.column !== name;

const AtLeast = ({ state, set }) => html`<${Text} label="Rows, more than" type="number" value=${state.threshold}
  onChange=${(threshold) => set({ threshold })} />`;

/** The kinds that can be asked about a dataset. */
export const kindsFor = (dataset) => Object.entries(KINDS).filter(([, kind]) =>
  (kind.needs === undefined || first(dataset, kind.needs) !== undefined) && (kind.offered?.(dataset) ?? true));

let description = null;

/** What the service says about the fields of a kind: the properties of the schema of its request. */
async function described(kind) {
  description ??= fetch('/openapi.json').then((reply) => reply.json());
  const document = await description;
  const path = kind === 'synopsis' ? '/v1/datasets/{id}/synopses' : `/v1/datasets/{id}/queries/${kind}`;
  const schema = document.paths[path].post.requestBody.content['application/json'].schema.$ref.split('/').pop();
  return document.components.schemas[schema].properties;
}

/** Further options of a kind, as the description lists them: those with a few choices that the form itself has not. */
export function Further({ kind, value, onChange }) {
  const { value: properties } = useLoaded(() => described(kind), [kind]);
  const choices = Object.entries(properties ?? {}).filter(([name, property]) =>
    property.enum !== undefined && name !== KINDS[kind].shows);
  return choices.length > 0 && html`<details><summary>Further options</summary>${choices.map(([name, property]) => html`
    <${Select} label=${name} help=${property.description} value=${value[name] ?? ''}
      options=${[['', 'as usual'], ...property.enum]} onChange=${(chosen) => {
        const { [name]: before, ...others } = value;
        onChange(chosen === '' ? others : { ...others, [name]: chosen });
      }} />`)}</details>`;
}

/** The filter: conditions that all hold. */
export function Where({ dataset, value, onChange }) {
  const change = (i, condition) => onChange(value.map((each, j) => (i === j ? condition : each)));
  const start = (name) => {
    const column = named(dataset, name);
    return LISTED.includes(column.type)
      ? { column: name, in: [] }
      : { column: name, atLeast: column.lower, atMost: column.upper };
  };
  return html`<details><summary>Only some rows${value.length > 0 ? ` (${value.length})` : ''}</summary>
    ${value.map((condition, i) => {
      const column = named(dataset, condition.column);
      return html`<fieldset class="part"><div class="row">
        <${Select} label=${`Condition ${i + 1}: column`} value=${condition.column}
          options=${dataset.columns.map((each) => each.name)} onChange=${(name) => change(i, start(name))} />
        ${condition.in
          ? html`<${Checks} names=${categories(column)} chosen=${condition.in}
              onChange=${(chosen) => change(i, { ...condition, in: chosen })} />`
          : ['atLeast', 'atMost'].map((end) => html`<${Field} label=${end === 'atLeast' ? 'from' : 'to'}>
              <input value=${condition[end]} type=${isNumeric(column) ? 'number' : 'text'}
                step=${column.resolution ?? 'any'} onChange=${({ target: { value: typed } }) =>
                  change(i, { ...condition, [end]: isNumeric(column) ? number(typed) : text(typed) })} /><//>`)}
        <button type="button" class="outline small" aria-label=${`Remove condition ${i + 1}`}
          onClick=${() => onChange(value.filter((each) => each !== condition))}>Remove</button></div></fieldset>`;
    })}
    <button type="button" class="outline small" onClick=${() => onChange([...value, start(dataset.columns[0].name)])}>
      One more condition</button></details>`;
}
