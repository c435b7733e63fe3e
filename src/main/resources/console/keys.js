/** Keys: who may do what. A key is shown once, when it is made. */
import { html, Copyable, Heading, Loaded, Table, useLoaded, useState } from './parts.js';
import { all, post, remove } from './api.js';
import { Confirmed, Entry, Only, Send, list, text, useForm } from './forms.js';
import * as words from './words.js';

export const Page = () => html`<${Only} roles=${[]} title="Keys"><${Keys} /><//>`;

function Keys() {
  const keys = useLoaded(() => all('/v1/keys'), []);
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
          head=${['Name', 'Role', 'Datasets', 'Collections', 'State', 'Made', 'Expires', 'Revoke']}
          rows=${items.map((key) => [
            key.name, key.role, granted(key.datasets), granted(key.collections), key.state, words.moment(key.createdAt),
            key.expiresAt === null ? 'never' : words.moment(key.expiresAt),
            key.state !== 'active' ? '' : html`<${Confirmed} key=${key.keyId} label=${`Revoke ${key.name}`}
              question="At once and for good?" onConfirm=${() => revoke(key)} />`])} />`}<//>`;
}

const granted = (ids) => (ids.includes('*') ? 'all' : ids.length === 0 ? 'none' : ids.join(', '));

const EMPTY = { name: '', role: 'analyst', datasets: '', collections: '', expiresAt: '' };

function NewKey({ onMade }) {
  const [made, setMade] = useState(null);
  const form = useForm(EMPTY, async (values) => {
    setMade(null);
    const { name, key } = await post('/v1/keys', {
      name: values.name.trim(), role: values.role,
      datasets: list(values.datasets, ','), collections: list(values.collections, ','),
      expiresAt: text(values.expiresAt) && new Date(values.expiresAt).toISOString(),
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
    </div>
    <div class="row top">
      <${Entry} form=${form} at="/datasets" label="Datasets" help="Their ids, with commas between; * for all." />
      <${Entry} form=${form} at="/collections" label="Collections" help="Their ids, with commas between; * for all." />
      <${Entry} form=${form} at="/expiresAt" label="Expires" type="datetime-local" help="Never, if it is empty." />
    </div>
    <${Send} form=${form}>Make the key<//>
    <div role="status">${made && html`<article>
      <${Copyable} key=${made.key} label=${`The key of ${made.name}`} text=${made.key} />
      <p>It is shown this once. The service keeps only a hash of it. Hand it over where nobody else reads it.</p>
      <button type="button" class="outline small" onClick=${() => setMade(null)}>Hide it</button></article>`}</div>
  </form>`;
}
