/** How the values of a column are grouped: into equal parts, in steps, or at edges that the person types. */
import { html, Select, Text } from './parts.js';
import { decimal, exact } from './amounts.js';
import { DAY } from './blocks.js';
import { isNumeric } from './columns.js';

/** More groups than this are not offered. */
const MOST_EDGES = 2001;
const DECADE = 10;

/** How a column is grouped at first. A `cut` is the state of the controls. */
export const firstCut = (parts = 5) => ({ by: 'parts', parts, step: String(DECADE), typed: '' });

/** Edges at this distance from a beginning until the end is covered; nothing if they are too many. */
function spaced(low, end, each) {
  const count = each > 0n ? (end - low + each - 1n) / each + 1n : 0n;
  return count > BigInt(MOST_EDGES) ? []
    : Array.from({ length: Number(count) }, (unused, i) => low + BigInt(i) * each);
}

function numbers({ lower, upper, resolution }, { by, parts, step, typed }) {
  if (by === 'typed') {
    return typed.split(/[\s,;]+/).filter(Boolean).map(Number);
  }
  const [low, high, grid] = [exact(lower), exact(upper), exact(resolution)];
  const points = (high - low) / grid + 1n;
  const each = by === 'parts' ? (points + BigInt(parts) - 1n) / BigInt(parts) * grid
    : /^\d+(\.\d+)?$/.test(step) ? exact(step) : 0n;
  // Steps begin at a multiple of themselves, so that decades are 10 to 20 and 20 to 30.
  const begin = by === 'parts' || each === 0n ? low : low - (((low % each) + each) % each);
  return spaced(begin, high + grid, each).map((at) => Number(decimal(at)));
}

/** The first days of months or years that cover a column. */
function calendar(low, high, months) {
  const first = new Date(low);
  const from = months === 12 ? 0 : first.getUTCMonth();
  const found = [];
  for (let i = 0; found.length < MOST_EDGES && (found.at(-1) ?? -Infinity) < high; i++) {
    found.push(Date.UTC(first.getUTCFullYear(), from + i * months));
  }
  return found.length === MOST_EDGES ? [] : found;
}

function dates(column, { by, parts, step, typed }) {
  const text = (at) => {
    const moment = new Date(at).toISOString();
    return column.type === 'date' ? moment.slice(0, 10) : moment;
  };
  if (by === 'typed') {
    return typed.split(/[\s,;]+/).filter(Boolean);
  }
  const [low, high] = [Date.parse(column.lower), Date.parse(column.upper) + DAY];
  if (by === 'month' || by === 'year') {
    return calendar(low, high, by === 'month' ? 1 : 12).map(text);
  }
  const days = by === 'parts' ? Math.max(1, Math.ceil((high - low) / DAY / parts)) : Number(step);
  return Number.isInteger(days) && days > 0
    ? spaced(BigInt(low), BigInt(high), BigInt(days * DAY)).map((at) => text(Number(at))) : [];
}

/** The edges of the groups of a column, on its grid; the last is above its upper bound. None if they make no sense. */
export function edges(column, cut) {
  const found = isNumeric(column) ? numbers(column, cut) : dates(column, cut);
  const ascend = found.every((edge, i) => i === 0 || edge > found[i - 1]);
  return found.length < 2 || !ascend || found.some(Number.isNaN) ? [] : found;
}

/** The controls of a cut. */
export function Cut({ column, value, onChange }) {
  const set = (changes) => onChange({ ...value, ...changes });
  const found = edges(column, value);
  const long = isNumeric(column) && column.upper - column.lower > 2 * DECADE && column.resolution <= DECADE;
  const choose = (by) => set(by === 'decade' ? { by: 'step', step: String(DECADE) } : { by });
  return html`<div class="row top">
    <${Select} label=${`${column.name} is divided`} value=${value.by} onChange=${choose} options=${[
      ['parts', 'into equal parts'], ...long ? [['decade', 'by decade']] : [],
      ...isNumeric(column) ? [] : [['month', 'by month'], ['year', 'by year']],
      ['step', isNumeric(column) ? 'in steps of' : 'in steps of days'], ['typed', 'at my own edges']]} />
    ${value.by === 'parts' && html`<${Select} label=${`Parts of ${column.name}`} value=${String(value.parts)}
      options=${[2, 3, 4, 5, 6, 8, 10, 12, 20, 50, 100].map(String)} onChange=${(parts) =>
        set({ parts: Number(parts) })} />`}
    ${value.by === 'step' && html`<${Text} label=${`Step of ${column.name}`} inputmode="decimal" value=${value.step}
      onChange=${(step) => set({ step: step.trim() })} />`}
    ${value.by === 'typed' && html`<${Text} label=${`Edges of ${column.name}`} value=${value.typed}
      placeholder=${isNumeric(column) ? '0, 18, 30, 65, 126' : '2020-01-01, 2020-07-01'}
      help="Each group goes up to the next edge, without it." onChange=${(typed) => set({ typed })} />`}
    </div><p><small>${found.length === 0 ? 'Say edges that ascend, at most 2,000 groups.'
      : `${found.length - 1} groups: ${found.slice(0, 4).join(', ')}${
        found.length > 4 ? `${found.length > 5 ? ' …' : ','} ${found.at(-1)}` : ''}`}</small></p>`;
}
