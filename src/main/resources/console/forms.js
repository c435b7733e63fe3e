/** Forms whose values have the shape of the request: a control is named by the pointer of the member that it fills. */
import { html, Field, Heading, Refusal, useAction, useEffect, useRef, useState } from './parts.js';
import { may } from './api.js';

/**
 * A form: its typed values, and what the service said about them.
 *
 * @param send is called with the values
 */
export function useForm(first, send) {
  const [values, setValues] = useState(first);
  const [mended, setMended] = useState([]);
  const [busy, problem, run] = useAction(send);
  const element = useRef(null);
  useEffect(() => element.current?.querySelector('[aria-invalid="true"]')?.focus(), [problem]);
  const submit = (event) => {
    event.preventDefault();
    element.current = event.currentTarget;
    setMended([]);
    run(values);
  };
  return {
    values, busy, problem, submit, setValues,
    set: (pointer, value) => {
      setValues((now) => written(now, steps(pointer), value));
      setMended((now) => [...now, pointer]);
    },
    at: (pointer) => steps(pointer).reduce((value, step) => value?.[step], values) ?? '',
    said: (at) => (mended.some((each) => `${at}/`.startsWith(`${each}/`))
      ? '' : errors(problem).filter(({ pointer }) => pointer === at).map(({ detail }) => detail).join('; ')),
    hasControl: (pointer) => Boolean(element.current?.elements.namedItem(pointer)),
  };
}

const steps = (pointer) => pointer.slice(1).split('/');
const errors = (problem) => problem?.document?.errors ?? [];

function written(now, [step, ...rest], value) {
  const copy = Array.isArray(now) ? [...now] : { ...now };
  copy[step] = rest.length === 0 ? value : written(now?.[step] ?? {}, rest, value);
  return copy;
}

/** A control of a form, with what the service said about it. */
export function Entry({ form, at, label, help, bare, options = null, lines = false, onChange = form.set, ...others }) {
  const said = form.said(at);
  const bound = {
    ...others, name: at, value: form.at(at), 'aria-invalid': said ? 'true' : null,
    [options ? 'onChange' : 'onInput']: (event) => onChange(at, event.target.value),
  };
  return html`<${Field} label=${label} help=${said || help} bare=${bare}>
    ${options ? html`<select ...${bound}>${options.map((option) => {
      const [name, shown] = [option].flat();
      return html`<option value=${name} selected=${name === bound.value}>${shown ?? name}</option>`;
    })}</select>` : lines ? html`<textarea rows=${bare ? 2 : 4} ...${bound} />`
      : html`<input autocomplete="off" ...${bound} />`}
  <//>`;
}

/** Sends the form, and shows what was said about members that have no control. */
export function Send({ form, disabled = false, children }) {
  const { problem } = form;
  const rest = errors(problem).filter(({ pointer }) => !form.hasControl(pointer));
  const shown = rest.length === errors(problem).length ? problem : {
    slug: problem.slug, document: { ...problem.document, errors: rest, detail: 'The marked fields say what is wrong.' },
  };
  return html`<div class="actions">
      <button type="submit" disabled=${disabled || form.busy} aria-busy=${form.busy}>${children}</button></div>
    <${Refusal} problem=${shown} />`;
}

/** A button that asks for confirmation, for actions that cannot be undone. */
export function Confirmed({ label, question, onConfirm }) {
  const [asking, setAsking] = useState(false);
  const [busy, problem, confirm] = useAction(async () => {
    await onConfirm();
    setAsking(false);
  });
  const yes = useRef(null);
  useEffect(() => asking && yes.current?.focus(), [asking]);
  return asking
    ? html`<span>${question}${' '}
        <button ref=${yes} type="button" class="small" aria-busy=${busy} disabled=${busy} onClick=${confirm}>
          ${label}</button>${' '}
        <button type="button" class="outline small" onClick=${() => setAsking(false)}>Keep</button></span>
        <${Refusal} problem=${problem} />`
    : html`<button type="button" class="outline small" onClick=${() => setAsking(true)}>${label}</button>`;
}

/** A page for some roles. For other roles it says so, and loads nothing. */
export const Only = ({ roles, title, children }) => (may(...roles)
  ? children : html`<${Heading}>${title}<//><p>This is for ${[...roles, 'administrator'].join('s and ')}s.</p>`);

/** The typed text as a number; undefined if it is empty; other texts unchanged, so that the service refuses them. */
export function number(text) {
  const typed = String(text ?? '').trim();
  return typed === '' ? undefined : Number.isFinite(Number(typed)) ? Number(typed) : typed;
}

/** The typed text; undefined if it is empty. */
export const text = (typed) => (String(typed ?? '').trim() === '' ? undefined : typed.trim());

/** The parts of a typed list, without empty parts. */
export const list = (typed, separator) => typed.split(separator).map((part) => part.trim()).filter(Boolean);
