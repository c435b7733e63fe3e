/** The first page asks for a key, which is kept in this tab's memory only. */
import { html, useEffect, useRef, useState, Heading, Refusal, useAction } from './parts.js';
import { signIn, signInByProxy } from './api.js';

/** What an unknown key means for the person who typed it. */
const UNKNOWN = { document: {
  title: 'The service does not know this key.',
  detail: 'Check that all of it was pasted, without quotes. It may also have expired or have been revoked: then ask '
    + 'the administrator for another.',
} };

export function SignIn({ first, expired, onSignedIn }) {
  const [key, setKey] = useState('');
  const field = useRef(null);
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
  useEffect(() => field.current.select(), [problem]); // Runs after the heading took the focus.
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
        <input ref=${field} type="password" autocomplete="off" required value=${key}
          aria-invalid=${problem ? 'true' : null} onInput=${(event) => setKey(event.target.value)} />
        <small>It stays in the memory of this tab. Closing or reloading the tab forgets it.</small>
      </label>
      <button type="submit" aria-busy=${busy} disabled=${busy}>Sign in</button>
    </form>
    <${Refusal} problem=${problem?.slug === 'unauthorized' ? UNKNOWN : problem} />`;
}
