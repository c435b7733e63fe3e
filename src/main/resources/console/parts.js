/** What several pages show: amounts, refusals, tables, texts to copy. Text of others is always text, never markup. */
import { html, useEffect, useRef, useState } from './vendor/htm-preact-3.1.1.js';
import { deciding, share, spoken, spokenLimit } from './amounts.js';
import { csv } from './api.js';

export { html, useEffect, useRef, useState };

/** Loads something for a page: {value, problem, again}. The result of an overtaken load is dropped. */
export function useLoaded(load, inputs) {
  const [state, setState] = useState({ value: null, problem: null });
  const [round, setRound] = useState(0);
  useEffect(() => {
    let current = true;
    load().then(
      (value) => current && setState({ value, problem: null }),
      (problem) => current && setState({ value: null, problem }));
    return () => { current = false; };
  }, [...inputs, round]);
  return { ...state, again: () => setRound(round + 1) };
}

/** An action that runs once at a time, also after two clicks: [busy, problem, run]. */
export function useAction(action) {
  const [state, setState] = useState({ busy: false, problem: null });
  const running = useRef(false);
  const run = async (...sent) => {
    if (running.current) {
      return;
    }
    running.current = true;
    setState({ busy: true, problem: null });
    try {
      await action(...sent);
      setState({ busy: false, problem: null });
    } catch (problem) {
      setState({ busy: false, problem: problem.name === 'AbortError' ? null : problem });
    } finally {
      running.current = false;
    }
  };
  return [state.busy, state.problem, run];
}

/** Shows what was loaded, or why it was not. */
export function Loaded({ of, children }) {
  if (of.problem !== null) {
    return html`<${Refusal} problem=${of.problem} again=${of.again} />`;
  }
  return of.value === null ? html`<p aria-busy="true">Loading</p>` : children(of.value);
}

/** The most lines that are named of those that break the same rule in the same column. */
const MOST_NAMED = 5;

/** Joins the errors of one place and rule, so that a fault of a column is stated once. */
function byRule(errors) {
  const found = new Map();
  for (const { pointer, parameter, header, line, column, detail } of errors) {
    const where = column ?? pointer ?? parameter ?? header;
    const same = found.get(`${where} ${detail}`) ?? { where, detail, lines: [] };
    found.set(`${where} ${detail}`, same);
    line && same.lines.push(line);
  }
  return [...found.values()];
}

const TITLES = {
  'budget-exhausted': 'The budget does not allow this question.',
  offline: 'The service cannot be reached.',
};

/** A refusal in words: what is wrong, where, and the way out. */
export function Refusal({ problem, again }) {
  if (problem === null) {
    return null;
  }
  const document = problem.document ?? { detail: problem.message };
  const errors = document.errors ?? [];
  return html`<div class="refusal" role="alert">
    <strong>${TITLES[problem.slug] ?? document.title}</strong>
    ${document.detail && html`<p>${document.detail}</p>`}
    ${document.shortfall && html`<p>
      Remaining: ${spoken(document.remaining)}. Missing: ${spoken(document.shortfall, document.remaining)}.</p>`}
    ${errors.length > 0 && html`<ul>${byRule(errors).map(({ where, lines, detail }) => html`<li>
      <code>${where}</code>${' '}${detail}${lines.length > 0 && ` (${lines.length === 1 ? 'line' : 'lines'} ${
        lines.slice(0, MOST_NAMED).join(', ')}${lines.length > MOST_NAMED
          ? ` and ${lines.length - MOST_NAMED} more` : ''})`}</li>`)}</ul>`}
    ${document.moreErrors > 0 && html`<p>${document.moreErrors} more are not listed.</p>`}
    ${again && html`<button class="secondary" onClick=${again}>Try again</button>`}
  </div>`;
}

/** What is spent and left of the budget, or of the own ceiling if less is left there; next is a charge to come. */
export function BudgetBar({ books, next = null }) {
  const own = books.remainingIn === 'analyst';
  const { limit, spent, remaining } = own ? books.allotments[0] : books;
  const used = share(deciding(spent), deciding(limit));
  const coming = next === null ? 0 : share(deciding(next), deciding(limit));
  const text = `${spoken(remaining, limit)} left of ${own ? 'your own ceiling, ' : ''}${spokenLimit(limit)}`;
  return html`<div class="budget-bar">
    <svg viewBox="0 0 100 4" preserveAspectRatio="none" role="img" aria-label=${text}>
      <rect class="rest" width="100" height="4" />
      <rect class="spent" width=${100 * used} height="4" />
      <rect class="next" x=${100 * used} width=${Math.min(100 * coming, 100 - 100 * used)} height="4" />
    </svg>
    <small>${text}</small>
  </div>`;
}

/** The most rows of a table that are drawn at first. */
const MOST_ROWS = 200;

/** A table that scrolls inside its own frame. Numbers are aligned to the right. */
export function Table({ caption, head, rows }) {
  const [most, setMost] = useState(MOST_ROWS);
  return html`<div class="scroll" tabindex="0" role="region" aria-label=${caption}>
    <table>
      <caption class="quiet">${caption}</caption>
      <thead><tr>${head.map((name, i) => html`<th scope="col"
        class=${rows.length > 0 && isNumber(rows[0][i]) ? 'number' : ''}>${name}</th>`)}</tr></thead>
      <tbody>${rows.slice(0, most).map((row) => html`<tr>${row.map((cell) =>
        html`<td class=${isNumber(cell) ? 'number' : ''}>${cell}</td>`)}</tr>`)}</tbody>
    </table>
    ${rows.length > most && html`<button type="button" class="outline small" onClick=${() => setMost(5 * most)}>
      Show more than the first ${most}</button>`}
  </div>`;
}

const isNumber = (cell) => typeof cell === 'number' || (typeof cell === 'string' && /^[-−]?[\d.,]+$/.test(cell));

/** A text with a button that copies it. */
export function Copyable({ label, text }) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
  };
  return html`<div class="copyable">
    <div><strong>${label}</strong>
      ${navigator.clipboard && html`<button class="outline small" onClick=${copy}>
        ${copied ? 'Copied' : 'Copy'}</button>`}</div>
    <pre tabindex="0"><code>${text}</code></pre>
  </div>`;
}

/** Saves a table as the CSV of the service. */
export function Download({ name, path, children }) {
  const [busy, problem, save] = useAction(async () => {
    const address = URL.createObjectURL(new Blob([await csv(path)], { type: 'text/csv' }));
    Object.assign(document.createElement('a'), { href: address, download: name }).click();
    URL.revokeObjectURL(address);
  });
  return html`<button class="outline small" aria-busy=${busy} onClick=${save}>${children}</button>
    <${Refusal} problem=${problem} />`;
}

/** A labelled control of a form. In a table the head names the control, so the label is for screen readers alone. */
export function Field({ label, help, bare = false, children }) {
  return html`<label class=${bare ? 'bare' : null}>${bare ? html`<span class="unseen">${label}</span>` : label}
    ${children}${help && html`<small>${help}</small>`}</label>`;
}

export function Select({ label, help, value, options, onChange }) {
  return html`<${Field} label=${label} help=${help}>
    <select value=${value} onChange=${(event) => onChange(event.target.value)}>
      ${options.map((option) => {
        const [name, shown] = Array.isArray(option) ? option : [option, option];
        return html`<option value=${name} selected=${name === value}>${shown}</option>`;
      })}
    </select>
  <//>`;
}

export function Text({ label, help, value, onChange, ...others }) {
  return html`<${Field} label=${label} help=${help}>
    <input value=${value} onInput=${(event) => onChange(event.target.value)} ...${others} />
  <//>`;
}

/** Places as links, so that each can be reached by keyboard and by address. */
export function Tabs({ label, items, current }) {
  return html`<nav class="tabs" aria-label=${label}><ul>${items.map(([address, name]) => html`<li>
    <a href=${address} aria-current=${address === current ? 'page' : null}>${name}</a></li>`)}</ul></nav>`;
}

/** A heading that gets the focus when its page opens, for screen readers. It is the title of the tab too. */
export function Heading({ title, children }) {
  const heading = useRef(null);
  useEffect(() => heading.current?.focus(), []);
  useEffect(() => { document.title = `${title ?? heading.current.textContent} – Purser`; });
  return html`<h1 ref=${heading} tabindex="-1">${children}</h1>`;
}
