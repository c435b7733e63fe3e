/**
 * The kinds of questions: what a form asks for, what is sent, and on which scale the answer will be. Names, choices and
 * explanations of further options come from the service's own description.
 */
import { html, Select, Text, useLoaded } from './parts.js';
import { at } from './api.js';
import { categories, ends, first, LISTED, named, NUMBERS, of, ORDERED } from './columns.js';
import { Cut, edges, firstCut } from './edges.js';
import { Checks } from './filters.js';

const rows = (dataset) => [0, dataset.maxRows];

/** The column of a question: its form's own state has it. */
function Column({ dataset, types, state, set }) {
  return html`<${Select} label="Column" value=${state.column} onChange=${(column) => set({ column })}
    options=${of(dataset, types).map((column) => column.name)} />`;
}

/** The controls that group the question's column. */
const CutOf = ({ dataset, state, set }) => html`<${Cut} column=${named(dataset, state.column)} value=${state.cut}
  onChange=${(cut) => set({ cut })} />`;

const QUANTILES = [
  ['0.5', 'the median'], ['0.25,0.5,0.75', 'the quartiles'], ['0.1,0.2,0.3,0.4,0.5,0.6,0.7,0.8,0.9', 'the deciles'],
  ['0.05,0.95', '5 % and 95 %'],
];

/** Each bin or category as a filter. */
function parts(column, cut) {
  if (LISTED.includes(column.type)) {
    return categories(column).map((category) => [{ column: column.name, in: [category] }]);
  }
  const at = edges(column, cut);
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
  const isListed = (name) => LISTED.includes(named(dataset, name).type) || dataset.blocks?.column === name;
  const begin = (name) => value.find((each) => each.column === name)
    ?? { column: name, ...isListed(name) ? {} : { cut: firstCut() } };
  return html`<fieldset class="part"><legend>For each</legend>
    <${Checks} names=${dataset.columns.map(({ name }) => name)} chosen=${value.map((each) => each.column)} most=${4}
      onChange=${(names) => onChange(names.map(begin))}
      below=${(name) => value.filter((each) => each.column === name && each.cut).map((each) => html`<${Cut}
        column=${named(dataset, name)} value=${each.cut} onChange=${(cut) =>
          onChange(value.map((other) => (other === each ? { ...each, cut } : other)))} />`)} />
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
const keysOf = (dataset, { groupBy }) => groupBy.map(({ column, cut }) =>
  ({ column, ...cut && { edges: edges(named(dataset, column), cut) } }));

/** How many groups a table has. */
const groupsOf = (dataset, state, blocks) => keysOf(dataset, state).reduce((product, key) => product * (key.edges
  ? key.edges.length - 1 : dataset.blocks?.column === key.column
    ? blocks.latest ?? 1 : categories(named(dataset, key.column)).length), 1);

/**
 * The members of each kind: title, its name in words; needs, the types of which it needs a column; start, the first
 * state of its form, with nothing ticked; fields, its form; shows, the further option that the form itself has;
 * assumes, the number of rows on which the expected error depends, in words, or null; groups, their number; request,
 * the body that is sent; scale, the ends of the axis of its answers.
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
      groupBy: keysOf(dataset, state),
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
    start: (dataset) => ({ column: dataset.columns[0].name, cut: firstCut(10) }),
    fields: (form) => html`<${Column} ...${form} types=${[...ORDERED, ...LISTED]} />
      ${hasEdges(form.dataset, form.state.column) && html`<${CutOf} ...${form} />`}`,
    request: (dataset, state) => ({
      column: state.column,
      ...hasEdges(dataset, state.column) ? { edges: edges(named(dataset, state.column), state.cut) } : {},
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
      ...state.groupBy.length > 0 ? { groupBy: keysOf(dataset, state) } : {},
    }),
    scale: rows,
  },
  'sparse-range': {
    title: 'Ranges with many rows', needs: ORDERED,
    start: (dataset) => ({
      column: first(dataset, ORDERED), cut: firstCut(20), threshold: '100', maxPositives: '3', release: 'values' }),
    fields: (form) => html`<${Column} ...${form} types=${ORDERED} /><${CutOf} ...${form} />
      <${AtLeast} ...${form} />
      <${Text} label="Ranges to find, at most" type="number" min="1" max="1000" value=${form.state.maxPositives}
        onChange=${(maxPositives) => form.set({ maxPositives })} />`,
    request: (dataset, state) => ({
      column: state.column, threshold: Number(state.threshold), maxPositives: Number(state.maxPositives),
      release: state.release,
      ranges: parts(named(dataset, state.column), state.cut).map(([{ atLeast, below }]) => ({ atLeast, below })),
    }),
    scale: rows,
  },
  threshold: {
    title: 'First group with many rows',
    start: (dataset) => ({ column: (of(dataset, LISTED)[0] ?? dataset.columns[0]).name,
      cut: firstCut(10), threshold: '100' }),
    fields: (form) => html`<${Column} ...${form} types=${[...LISTED, ...ORDERED]} />
      ${!LISTED.includes(named(form.dataset, form.state.column).type) && html`<${CutOf} ...${form} />`}
      <${AtLeast} ...${form} />`,
    request: (dataset, state) => ({
      threshold: Number(state.threshold),
      queries: parts(named(dataset, state.column), state.cut).map((where) => ({ count: { where } })),
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
    start: () => ({ columns: [], cuts: {} }),
    fields: ({ dataset, state, set }) => html`<fieldset class="part"><legend>Columns</legend>
      <${Checks} names=${dataset.columns.map(({ name }) => name)} chosen=${state.columns}
        onChange=${(columns) => set({ columns })} below=${(name) => state.columns.includes(name)
          && !LISTED.includes(named(dataset, name).type) && html`<${Cut} column=${named(dataset, name)}
            value=${state.cuts[name] ?? firstCut(20)} onChange=${(cut) =>
              set({ cuts: { ...state.cuts, [name]: cut } })} />`} /></fieldset>`,
    request: (dataset, state) => ({
      columns: state.columns.map((name) => (LISTED.includes(named(dataset, name).type)
        ? { column: name } : { column: name, edges: edges(named(dataset, name), state.cuts[name] ?? firstCut(20)) })),
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
  description ??= fetch(at('/openapi.json')).then((reply) => reply.json());
  const document = await description;
  const path = kind === 'synopsis' ? '/v1/datasets/{id}/synopses' : `/v1/datasets/{id}/queries/${kind}`;
  const schema = document.paths[path].post.requestBody.content['application/json'].schema.$ref.split('/').pop();
  return document.components.schemas[schema].properties;
}

/** The names of options and of their choices in this console. An option that is not listed keeps its name. */
const OPTIONS = {
  method: ['How the mean is computed', {
    'two-sided': 'from both ends', 'auto-clip': 'with bounds that a part of epsilon finds',
    'sum-and-count': 'as sum by number', centered: 'around the middle of the bounds',
    'known-count': 'with the public number of rows' }],
  whenNone: ['If nothing is above', { none: 'say that none is', random: 'name one at random' }],
  release: ['Of what is found, say', {
    indices: 'only which it is', values: 'also how many rows it has', gaps: 'also how far it is above the threshold' }],
  allocation: ['How epsilon is divided', { optimal: 'for the least error', textbook: 'as in textbooks' }],
  variant: ['How ranges are compared', {
    automatic: 'the better of the next two', 'single-threshold': 'all with one noisy threshold',
    restart: 'with a new threshold after each that is found', 'one-sided': 'with noise that is never below zero',
    adaptive: 'with less noise for those near the threshold' }],
  protocol: ['How a row is randomized', {}],
};

/** Further options of a kind: the options of the description that have a few choices and are not in the form itself. */
export function Further({ kind, value, onChange }) {
  const { value: properties } = useLoaded(() => described(kind), [kind]);
  const choices = Object.entries(properties ?? {}).filter(([name, property]) =>
    property.enum !== undefined && name !== KINDS[kind].shows);
  return choices.length > 0 && html`<details><summary>Further options</summary>${choices.map(([name, property]) => {
    const [label, words] = OPTIONS[name] ?? [name, {}];
    return html`<${Select} label=${label} value=${value[name] ?? ''}
      options=${[['', 'as usual'], ...property.enum.map((each) => [each, words[each] ?? each])]}
      onChange=${(chosen) => {
        const { [name]: before, ...others } = value;
        onChange(chosen === '' ? others : { ...others, [name]: chosen });
      }} />`;
  })}</details>`;
}
