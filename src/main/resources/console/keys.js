/** Keys: who may do what. A key is shown once, when it is made. */
import { html, Copyable, Heading, Loaded, Table, useLoaded, useState } from './parts.js';
import { all, patch, post, remove } from './api.js';
import { Confirmed, Entry, Only, Send, list, text, useForm } from './forms.js';
import * as words from './words.js';

export const Page = () => html`<${Only} roles=${[]} title="Keys"><${Keys} /><//>`;

function Keys() {
  const keys = useLoaded(() => all('/v1/keys'), []);
  const [changed, setChanged] = useState(null);
  const revoke = async (key) => {
    await remove(`/v1/keys/${key.keyId}`);
    keys.again();
  };
  return html`<${Heading}>Keys<//>
    <p>A key is a person or a program. Its name stands in every ledger, and no other key will ever have it.</p>
    <${NewKey} onMade=${keys.again} />
    <h2>All keys</h2>
    <${Loaded} of=${keys}>${(items) => items.length === 0
      ? html`<p>There is no key yet but the administrator's own.</p>`
      : html`<${Table} caption="Keys, without the administrator's own"
          head=${['Name', 'Role', 'Datasets', 'Collections', 'State', 'Made', 'Expires', 'Change', 'Revoke']}
          rows=${items.map((key) => [
            key.name, key.role, granted(key.datasets), granted(key.collections), key.state, words.moment(key.createdAt),
            key.expiresAt === null ? 'never' : words.moment(key.expiresAt),
            key.state === 'revoked' ? '' : html`<button type="button" class="outline small"
              onClick=${() => setChanged(key)}>Change ${key.name}</button>`,
            key.state !== 'active' ? '' : html`<${Confirmed} key=${key.keyId} label=${`Revoke ${key.name}`}
              question="At once and for good?" onConfirm=${() => revoke(key)} />`])} />`}<//>
    ${changed && html`<${Change} key=${changed.keyId} of=${changed}
      onEnd=${() => { setChanged(null); keys.again(); }} />`}`;
}

const granted = (ids) => (ids.includes('*') ? 'all' : ids.length === 0 ? 'none' : ids.join(', '));

const EMPTY = { name: '', role: 'analyst', subject: '', datasets: '', collections: '', expiresAt: '' };

/** Controls for what may be changed later too. */
const Granted = ({ form }) => html`<div class="row top">
    <${Entry} form=${form} at="/datasets" label="Datasets" help="Their ids, with commas between; * for all." />
    <${Entry} form=${form} at="/collections" label="Collections" help="Their ids, with commas between; * for all." />
    <${Entry} form=${form} at="/expiresAt" label="Expires" type="datetime-local" help="Never, if it is empty." />
  </div>`;

const sent = ({ datasets, collections, expiresAt }) => ({
  datasets: list(datasets, ','), collections: list(collections, ','),
  expiresAt: expiresAt ? new Date(expiresAt).toISOString() : null,
});

/** An instant as a control shows it: by the clock of this browser, to the minute. */
const typed = (instant) => (instant === null ? ''
  : new Date(new Date(instant) - new Date(instant).getTimezoneOffset() * 60_000).toISOString().slice(0, 16));

/** Changes grants and expiry; the key itself stays. An expiry that is not touched keeps its seconds. */
function Change({ of, onEnd }) {
  const first = { datasets: of.datasets.join(', '), collections: of.collections.join(', '),
    expiresAt: typed(of.expiresAt) };
  const form = useForm(first, async (values) => {
    const { expiresAt, ...grants } = sent(values);
    await patch(`/v1/keys/${of.keyId}`, values.expiresAt === first.expiresAt ? grants : { ...grants, expiresAt });
    onEnd();
  });
  return html`<form onSubmit=${form.submit} novalidate><h2>Change the key of ${of.name}</h2>
    <${Granted} form=${form} />
    <${Send} form=${form}>Save the change<//>
    <button type="button" class="outline small" onClick=${onEnd}>Leave it</button></form>`;
}

function NewKey({ onMade }) {
  const [made, setMade] = useState(null);
  const form = useForm(EMPTY, async (values) => {
    setMade(null);
    const { name, key } = await post('/v1/keys', {
      name: values.name.trim(), role: values.role,
      identity: text(values.subject) && { subject: text(values.subject) }, ...sent(values),
    });
    setMade({ name, key });
    form.setValues(EMPTY);
    onMade();
  });
  return html`<form onSubmit=${form.submit} novalidate><h2>Make a key</h2>
    <div class="row top">
      <${Entry} form=${form} at="/name" label="Name" help="Lower-case letters, digits and . _ - after a letter." />
      <${Entry} form=${form} at="/role" label="Role" options=${Object.keys(words.ROLES)}
        help=${`It ${words.ROLES[form.values.role]}.`} />
      <${Entry} form=${form} at="/subject" label="Subject"
        help="Only for a person who signs in with the identity provider: the claim sub. There is no secret then." />
    </div>
    <${Granted} form=${form} />
    <${Send} form=${form}>Make the key<//>
    <div role="status">${made?.key === null && html`<p>${made.name} signs in with the identity provider.</p>`}
      ${made?.key && html`<article>
      <${Copyable} key=${made.key} label=${`The key of ${made.name}`} text=${made.key} />
      <p>It is shown this once. The service keeps only a hash of it. Hand it over where nobody else reads it.</p>
      <button type="button" class="outline small" onClick=${() => setMade(null)}>Hide it</button></article>`}</div>
  </form>`;
}
