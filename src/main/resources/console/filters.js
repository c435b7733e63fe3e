/** Boxes to tick, and the filter of a question. */
import { html, Select, Text, useEffect, useRef, useState } from './parts.js';
import { categories, isNumeric, LISTED, named } from './columns.js';
import { number, text } from './forms.js';

/** Lists with more names have a search. */
const MANY = 12;

/** A box for each name, ticked names first. */
export function Checks({ names, chosen, onChange, most = Infinity, below = () => null }) {
  const [sought, setSought] = useState('');
  const list = useRef(null);
  useEffect(() => list.current.scrollTo(0, 0), [chosen.length]); // The name just ticked is now at its top.
  const found = names.filter((name) => chosen.includes(name) || name.toLowerCase().includes(sought.toLowerCase()));
  const shown = names.length <= MANY ? names
    : [...found.filter((name) => chosen.includes(name)), ...found.filter((name) => !chosen.includes(name))];
  return html`<div class="checks">${names.length > MANY && html`<div class="row">
      <${Text} label=${`Search in ${names.length}`} type="search" value=${sought} onChange=${setSought} />
      ${most === Infinity && html`<button type="button" class="outline small"
        onClick=${() => onChange(names)}>All</button>`}
      <button type="button" class="outline small" onClick=${() => onChange([])}>None</button></div>`}
    <div ref=${list} class=${names.length > MANY ? 'many' : null}>${shown.map((name) => html`<label key=${name}>
      <input type="checkbox" checked=${chosen.includes(name)}
        disabled=${!chosen.includes(name) && chosen.length >= most} onChange=${({ target }) => onChange(target.checked
          ? [...chosen, name] : chosen.filter((other) => other !== name))} /> ${name}</label>
      ${below(name)}`)}</div></div>`;
}

/** The kinds of conditions, as [name, words, the members that it has]. */
const LISTS = [['in', 'is one of'], ['notIn', 'is none of']];
const RANGES = [
  ['between', 'from … to …, both included', ['atLeast', 'atMost']],
  ['within', 'from … to below …', ['atLeast', 'below']],
  ['atLeast', 'is at least', ['atLeast']], ['above', 'is above', ['above']], ['below', 'is below', ['below']],
  ['atMost', 'is at most', ['atMost']],
];
const END_WORDS = { atLeast: 'from', above: 'above', below: 'below', atMost: 'to' };

/** Which kind of condition this is. */
function relation(condition) {
  const members = Object.keys(condition).filter((name) => name !== 'column').sort().join();
  return LISTS.find(([name]) => name === members)?.[0]
    ?? RANGES.find(([, , ends]) => [...ends].sort().join() === members)?.[0];
}

/** A condition of another kind on the same column. It keeps the ends that both kinds have. */
function related(column, name, before = {}) {
  const range = RANGES.find(([each]) => each === name);
  return { column: column.name, ...range
    ? Object.fromEntries(range[2].map((end) => [end, before[end]
      ?? (['atLeast', 'above'].includes(end) ? column.lower : column.upper)]))
    : { [name]: before.in ?? before.notIn ?? [] } };
}

/** One end of a range. The typed text is not changed, such as 1.0 on the way to 1.05. */
function End({ label, column, value, onChange }) {
  const [typed, setTyped] = useState('');
  const read = isNumeric(column) ? number : text;
  const take = (now) => {
    setTyped(now);
    onChange(read(now));
  };
  return html`<${Text} label=${label} type=${isNumeric(column) ? 'number' : 'text'} step=${column.resolution ?? 'any'}
    value=${read(typed) === value ? typed : value} onChange=${take} />`;
}

/** The filter: conditions that all hold. */
export function Where({ dataset, value, onChange }) {
  const change = (i, condition) => onChange(value.map((each, j) => (i === j ? condition : each)));
  const start = (name) => related(named(dataset, name), LISTED.includes(named(dataset, name).type) ? 'in' : 'between');
  return html`<details><summary>Only some rows${value.length > 0 ? ` (${value.length})` : ''}</summary>
    ${value.map((condition, i) => {
      const column = named(dataset, condition.column);
      const listed = ['in', 'notIn'].find((name) => condition[name]);
      return html`<fieldset class="part"><div class="row top">
        <${Select} label=${`Condition ${i + 1}: column`} value=${condition.column}
          options=${dataset.columns.map((each) => each.name)} onChange=${(name) => change(i, start(name))} />
        <${Select} label=${`Condition ${i + 1}: relation`} value=${relation(condition)}
          options=${LISTED.includes(column.type) ? LISTS : RANGES}
          onChange=${(name) => change(i, related(column, name, condition))} />
        ${listed ? html`<${Checks} names=${categories(column)} chosen=${condition[listed]}
              onChange=${(chosen) => change(i, { ...condition, [listed]: chosen })} />`
          : Object.keys(condition).filter((end) => end !== 'column').map((end) => html`<${End} key=${end}
              label=${END_WORDS[end]} column=${column} value=${condition[end]}
              onChange=${(at) => change(i, { ...condition, [end]: at })} />`)}
        <button type="button" class="outline small" aria-label=${`Remove condition ${i + 1}`}
          onClick=${() => onChange(value.filter((each) => each !== condition))}>Remove</button></div></fieldset>`;
    })}
    <button type="button" class="outline small" onClick=${() => onChange([...value, start(dataset.columns[0].name)])}>
      One more condition</button></details>`;
}
