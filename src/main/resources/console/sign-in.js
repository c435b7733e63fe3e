/** The first page: a key. Nothing keeps it but this tab's memory. */
import { html, useEffect, useState, Heading, Refusal, useAction } from './parts.js';
import { signIn, signInByProxy } from './api.js';

export function SignIn({ first, expired, onSignedIn }) {
  const [key, setKey] = useState('');
  const [busy, problem, enter] = useAction(async () => {
    await signIn(key.trim());
    onSignedIn();
  });
  const [looking, unknown, look] = useAction(async () => {
    if (await signInByProxy()) {
      onSignedIn();
    }
  });
  useEffect(() => { first && look(); }, []);
  const submit = (event) => {
    event.preventDefault();
    enter();
  };
  return html`<${Heading}>Ask about data that nobody may see<//>
    <p>Purser answers with noise that protects each person, and keeps the books of what every answer costs. Enter the
      key that you were given. On the first start, the service wrote the administrator's into
      ${' '}<code>admin.key</code> in its home.</p>
    ${expired && html`<div class="refusal" role="alert"><strong>The key is not valid any more.</strong>
      <p>It expired or was revoked. Ask the administrator for another.</p></div>`}
    <${Refusal} problem=${unknown} />
    <form onSubmit=${submit} aria-busy=${looking}>
      <label>Key
        <input type="password" autocomplete="off" autofocus required value=${key}
          aria-invalid=${problem ? 'true' : null} onInput=${(event) => setKey(event.target.value)} />
        <small>It stays in the memory of this tab. Closing or reloading the tab forgets it.</small>
      </label>
      <button type="submit" aria-busy=${busy} disabled=${busy}>Sign in</button>
    </form>
    <${Refusal} problem=${problem} />`;
}
