/**
 * Proposes the columns of a registration from a CSV file. The file is read here and sent nowhere. Members that are
 * taken from its rows are not public facts: `read` names them for each column, until a person confirms or replaces
 * them.
 */

/** Spellings of a missing value, as the service has them. */
const MISSING = ['', 'NA', 'N/A', 'NaN', 'null', 'NULL', 'None', '\\N', '.', '?', '-'];
/** A column with more different texts, or with a text of several lines, describes single rows and is left out. */
export const MOST_CATEGORIES = 200;
/** Numbers with more digits after the point are rounded to this many. */
const MOST_DIGITS = 6;
/** The most steps that a bound may be from zero. */
const MOST_STEPS = 2 ** 40;

/** The types, from the narrowest; every text fits the last. Codes with leading zeros are no numbers. */
const TYPES = [
  ['boolean', /^(true|false|t|f|yes|no|y|n)$/i],
  ['integer', /^[+-]?(0|[1-9]\d{0,14})(\.0+)?$/],
  ['decimal', /^[+-]?(0|[1-9]\d{0,14})(\.\d+)?$/],
  ['date', /^\d{4}-\d\d-\d\d$/],
  ['timestamp', /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)?$/],
  ['category', /^/],
];

/** Bounds that follow from the name of a number, and from no row. */
const USUAL = [
  ['age', 0, 125], ['hours', 0, 168], ['percent', 0, 100], ['percentage', 0, 100], ['year', 1900, 2100],
];

/** The usual bounds of a number with this name, or nothing. */
export const usual = (name) => USUAL.find(([word]) => name.toLowerCase().split(/[^a-z]+/).includes(word))?.slice(1);

/** Takes CSV in pieces, and calls a function with the fields of each record. */
export function records(each) {
  let [fields, field, quoted, closed] = [[], '', false, false];
  const endField = () => {
    fields.push(field);
    [field, closed] = ['', false];
  };
  const endRecord = () => {
    endField();
    fields.join('') !== '' && each(fields);
    fields = [];
  };
  const take = (sign) => {
    if (quoted) {
      sign === '"' ? [quoted, closed] = [false, true] : field += sign;
    } else if (sign === '"' && (closed || field === '')) {
      field += closed ? '"' : '';
      [quoted, closed] = [true, false];
    } else if (sign === ',') {
      endField();
    } else if (sign === '\n') {
      endRecord();
    } else if (sign !== '\r') {
      field += sign;
    }
  };
  return { push: (text) => { for (const sign of text) { take(sign); } }, end: endRecord };
}

/** What is remembered of a column while its rows pass. */
const unseen = (name) => ({
  name, types: TYPES, hasMissing: false, texts: new Set(), low: null, high: null, least: Infinity, most: -Infinity,
  digits: 0,
});

function look(column, text) {
  if (MISSING.includes(text)) {
    column.hasMissing = true;
    return;
  }
  column.types = column.types.filter(([, form]) => form.test(text));
  if (column.texts.size <= MOST_CATEGORIES) {
    column.texts.add(text);
  }
  const [type] = column.types[0];
  if (type === 'integer' || type === 'decimal') {
    column.least = Math.min(column.least, Number(text));
    column.most = Math.max(column.most, Number(text));
    column.digits = Math.max(column.digits, (/\.(\d*[1-9])/.exec(text)?.[1] ?? '').length);
  }
  column.low = column.low === null || text < column.low ? text : column.low;
  column.high = column.high === null || text > column.high ? text : column.high;
}

/** Bounds around the values, on round numbers. They reveal less than the extremes do, but still something. */
function around({ least, most, digits }) {
  const power = 10 ** Math.max(-digits, Math.floor(Math.log10(most - least || Math.abs(most) || 1)));
  const round = (times) => Number((times * power).toFixed(digits));
  const [lower, upper] = [round(Math.floor(least / power)), round(Math.ceil(most / power))];
  return lower < upper ? [lower, upper] : [lower, round(Math.floor(least / power) + 1)];
}

function numeric(column, type) {
  let digits = Math.min(column.digits, MOST_DIGITS);
  const known = usual(column.name);
  const [lower, upper] = known ?? around({ ...column, digits });
  while (digits > 0 && Math.max(Math.abs(lower), Math.abs(upper)) * 10 ** digits > MOST_STEPS) {
    digits--;
  }
  const bounds = { lower: String(lower), upper: String(upper), read: known ? [] : ['lower', 'upper'] };
  return type === 'integer' ? bounds
    : { ...bounds, resolution: (10 ** -digits).toFixed(digits), read: [...bounds.read, 'resolution'] };
}

const years = (first, last) => ({ low, high }) =>
  ({ lower: low.slice(0, 4) + first, upper: high.slice(0, 4) + last, read: ['lower', 'upper'] });

/** What is proposed for a column of each type, and the substitute for a missing value. */
const PROPOSALS = {
  boolean: [() => ({ read: [] }), () => 'false'],
  integer: [numeric, ({ lower }) => lower],
  decimal: [numeric, ({ lower }) => lower],
  date: [years('-01-01', '-12-31'), ({ lower }) => lower],
  timestamp: [years('-01-01T00:00:00Z', '-12-31T23:59:59Z'), ({ lower }) => lower],
  category: [({ texts, hasMissing }) => ({
    categories: [...new Set([...[...texts].sort(), ...hasMissing ? ['unknown'] : []])].join('\n'), read: ['categories'],
  }), () => 'unknown'],
};

function proposal(column) {
  const { name, hasMissing, texts } = column;
  const type = column.types.length === TYPES.length ? 'category' : column.types[0][0];
  const [propose, substitute] = PROPOSALS[type];
  const proposed = propose(column, type);
  const kept = type !== 'category'
    || (texts.size > 0 && texts.size <= MOST_CATEGORIES && ![...texts].some((text) => text.includes('\n')));
  return {
    name, type, lower: '', upper: '', resolution: '', categories: '', missing: '', ...proposed, kept,
    ...hasMissing && { missing: substitute(proposed), read: [...proposed.read, 'missing'] },
    ...!kept && { categories: '', missing: '', read: [] },
  };
}

/**
 * Reads a whole file, and proposes its columns.
 *
 * @param onRead is called with the share of the file that was read
 * @returns {columns, rows}: rows is their number, which is never sent
 */
export async function proposed(file, onRead) {
  let columns = null;
  let rows = 0;
  const parts = records((fields) => {
    if (columns === null) {
      columns = fields.map((name) => unseen(name.replace(/^\ufeff/, '')));
      return;
    }
    rows++;
    fields.length === columns.length && fields.forEach((text, i) => look(columns[i], text));
  });
  const bytes = file.stream().getReader();
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let read = 0;
  for (let part = await bytes.read(); !part.done; part = await bytes.read()) {
    parts.push(decoder.decode(part.value, { stream: true }));
    read += part.value.length;
    onRead(read / file.size);
  }
  parts.push(decoder.decode());
  parts.end();
  if (columns?.length === 1 && /[;\t|]/.test(columns[0].name)) {
    throw new Error('The fields of this file are not divided by commas. Save it as CSV with commas.');
  }
  return { columns: (columns ?? []).map(proposal), rows };
}
