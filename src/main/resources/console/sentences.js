/** Canonical questions and entries of the ledger, in sentences. */
import { percent, rounded, spokenLimit } from './amounts.js';
import { window } from './words.js';

const list = (parts, last = 'and') =>
  [parts.slice(0, -1).join(', '), ...parts.slice(-1)].filter(Boolean).join(` ${last} `);

const value = (at) => (typeof at === 'number' ? rounded(at) : String(at));

/** One condition of a filter. */
export function condition({ column, in: some, notIn: none, atLeast, above, below, atMost }) {
  if (some ?? none) {
    return `${column} is ${none ? 'not ' : ''}${list((some ?? none).map(String), 'or')}`;
  }
  const from = atLeast ?? above;
  const to = below ?? atMost;
  const low = from === undefined ? '' : `${above === undefined ? (to === undefined ? 'at least' : 'from') : 'above'} `
    + value(from);
  const high = to === undefined ? '' : `${from === undefined ? '' : 'to '}${below === undefined
    ? (from === undefined ? 'at most ' : '') : 'below '}${value(to)}`;
  return [column, 'is', low, high].filter(Boolean).join(' ');
}

export const filter = (where = []) => (where.length === 0 ? '' : ` where ${list(where.map(condition))}`);

/** A column and how its values are grouped. */
function grouped({ column, edges, step }) {
  if (step !== undefined) {
    return `${column} in steps of ${value(step)}`;
  }
  return edges === undefined ? column
    : `${column} in ${edges.length - 1} parts from ${value(edges[0])} to below ${value(edges.at(-1))}`;
}

const by = (keys = []) => (keys.length === 0 ? '' : ` by ${list(keys.map(grouped))}`);
const of = (unit) => (unit === 'units' ? 'people or other units' : 'rows');
const AGGREGATES = { standardDeviation: 'standard deviation' };

/** An aggregate in words. */
export function aggregate({ weight, name, ...each }) {
  const [[what, { of: unit, column, in: some, ...others }]] = Object.entries(each);
  return what === 'count' ? `number of ${of(unit)}`
    : what === 'share' ? `share where ${condition({ column, ...some && { in: some }, ...others })}`
    : `${AGGREGATES[what] ?? what} of ${column}`;
}

const quantiles = (probabilities) => (probabilities.length === 1 && probabilities[0] === 0.5
  ? 'median' : `quantiles ${list(probabilities.map(percent))}`);

const SENTENCES = {
  count: (asked) => `Number of ${of(asked.of)}`,
  sum: ({ column }) => `Sum of ${column}`,
  mean: ({ column }) => `Mean of ${column}`,
  'local-mean': ({ column }) => `Mean of ${column}, each row randomized`,
  histogram: (asked) => `Number of rows${by([asked])}`,
  quantile: ({ probabilities, column, groupBy }) => `The ${quantiles(probabilities)} of ${column}${by(groupBy)}`,
  aggregate: ({ aggregates, groupBy }) => {
    const text = list(aggregates.map(aggregate));
    return `${text.charAt(0).toUpperCase()}${text.slice(1)}${by(groupBy)}`;
  },
  'sparse-range': ({ column, ranges, threshold, maxPositives }) =>
    `At most ${maxPositives} of ${ranges.length} ranges of ${column} with more than ${rounded(threshold)} rows`,
  threshold: ({ queries, threshold }) => `The first of ${queries.length} statistics above ${rounded(threshold)}`
    + (queries[0].count?.where?.length > 0 ? `, beginning with ${list(queries[0].count.where.map(condition))}` : ''),
  synopsis: ({ columns, marginals, measure }) => `Synopsis of ${list(columns.map(grouped))}`
    + `${marginals > 1 ? `, ${marginals} columns at a time` : ''}${measure ? `, sums of ${measure.sum}` : ''}`,
  'threshold-session': ({ queries, threshold, maxPositives }) =>
    `Session: ${queries ?? 'counts'} above ${rounded(threshold)}, at most ${maxPositives} found`,
};

const blocks = ({ from, to = from, latest }) => (latest ? `, the newest ${latest === 1 ? 'block' : `${latest} blocks`}`
  : from ? `, blocks ${window({ from, to })}` : '');

/** A question in a sentence, with its columns, its filter and its blocks, without its price. */
export function asked(kind, question) {
  const says = SENTENCES[kind];
  if (!says || !question) {
    return `A question of the kind ${kind}`;
  }
  try {
    return says(question) + filter(question.where)
      + blocks(question.blocks ?? {});
  } catch {
    return `A question of the kind ${kind}`; // A question of a later release may be unknown to this page.
  }
}

/** An entry of the ledger in a sentence. */
export function entry({ type, kind, question, limitAfter, allotmentAfter }) {
  return type === 'charge' ? asked(kind, question)
    : allotmentAfter ? `The allotment of ${allotmentAfter.analyst} is set to ${spokenLimit(allotmentAfter.limit)}`
    : `The limit is set to ${spokenLimit(limitAfter)}`;
}
