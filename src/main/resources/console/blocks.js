/** Labels of blocks, as the service writes them, and files that hold the rows of several. */
import { decimal, exact } from './amounts.js';
import { records } from './propose.js';

export const DAY = 86_400_000;
const days = (at) => new Date(at).toISOString().slice(0, 10);

/** The label after another. */
export function following(label, width) {
  if (width === 'month') {
    return new Date(Date.UTC(...label.split('-'), 1)).toISOString().slice(0, 7);
  }
  return width === 'day' || width === 'week'
    ? days(Date.parse(label) + DAY * (width === 'day' ? 1 : 7)) : decimal(exact(label) + exact(width));
}

/** The labels of a run of blocks. */
export function labels({ width }, { from, to }) {
  const found = [from];
  while (found.at(-1) !== to) {
    found.push(following(found.at(-1), width));
  }
  return found;
}

/** The label of the block to which a value belongs; null if it cannot be read. */
export function labelOf({ width, first }, value) {
  if (typeof width !== 'string') {
    const at = Number(value);
    return value.trim() === '' || !Number.isInteger(at) ? null
      : String(Number(first) + Math.floor((at - Number(first)) / width) * width);
  }
  const day = /^\d{4}-\d\d-\d\d/.exec(value)?.[0];
  if (day === undefined || Number.isNaN(Date.parse(day))) {
    return null;
  }
  return width === 'month' ? day.slice(0, 7) : width === 'day' ? day
    : days(Date.parse(day) - ((new Date(day).getUTCDay() + 6) % 7) * DAY);
}

/** The blocks that are not loaded yet, oldest first. */
export const missing = (blocks, runs) =>
  runs.filter(({ state }) => state !== 'ready').flatMap((run) => labels(blocks, run));

const quoted = (field) => (/[",\n\r]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field);

/** A CSV file as files of one block each: [[label, Blob]], in the order of blocks. */
export async function split(file, blocks) {
  let header = null;
  const parts = new Map();
  const reader = records((fields) => {
    if (header === null) {
      header = fields.map((name) => name.replace(/^\ufeff/, ''));
      return;
    }
    const value = fields[header.indexOf(blocks.column)];
    const label = value === undefined ? null : labelOf(blocks, value);
    if (label === null) {
      throw new Error(`A row has no ${blocks.column} that tells its block. Nothing was sent.`);
    }
    const lines = parts.get(label) ?? [header.map(quoted).join(',')];
    lines.push(fields.map(quoted).join(','));
    parts.set(label, lines);
  });
  reader.push(await file.text());
  reader.end();
  return [...parts].sort(([one], [other]) => (typeof blocks.width === 'string'
    ? one.localeCompare(other) : Number(one) - Number(other)))
    .map(([label, lines]) => [label, new Blob([lines.join('\n')], { type: 'text/csv' })]);
}
