/** The frame of all pages: who is signed in, the current place, and the page itself. Addresses are the part after #. */
import { render } from './vendor/htm-preact-3.1.1.js';
import { html, useEffect, useLoaded, useState, Heading, Loaded, Tabs } from './parts.js';
import { may, Problem, self, signOut } from './api.js';
import { SignIn } from './sign-in.js';
import { Datasets } from './datasets.js';

/** Pages, loaded when they are first opened. Each exports Page. An id needs no escapes in an address. */
const PAGES = [
  [/^#\/datasets\/([\w-]+)$/, './ask.js'],
  [/^#\/datasets\/([\w-]+)\/answers$/, './answers.js'],
  [/^#\/datasets\/([\w-]+)\/history$/, './history.js'],
  [/^#\/datasets\/([\w-]+)\/budget$/, './budget.js'],
  [/^#\/datasets\/([\w-]+)\/sessions$/, './sessions.js'],
  [/^#\/datasets\/([\w-]+)\/rows$/, './rows.js'],
  [/^#\/answers\/([\w-]+)$/, './answer.js'],
  [/^#\/register(?:\/([\w-]+))?$/, './register.js'],
  [/^#\/keys$/, './keys.js'],
  [/^#\/collections$/, './collections.js'],
  [/^#\/collections\/([\w-]+)$/, './collection.js'],
];

function useAddress() {
  const place = () => location.hash.split('?')[0];
  const [address, setAddress] = useState(place);
  useEffect(() => {
    const follow = () => setAddress(place());
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);
  return address;
}

function OtherPage({ file, parts }) {
  const { value, problem } = useLoaded(async () => {
    try {
      return (await import(file)).Page;
    } catch (cause) {
      throw new Problem({ title: 'This page did not load.',
        detail: `${cause.message}. To try again, the whole console is loaded again. It then asks for the key.` });
    }
  }, []);
  // A browser does not load a module again that it failed to load once.
  const of = { value, problem, again: () => location.reload() };
  return html`<${Loaded} of=${of}>${(Page) => html`<${Page} key=${parts.join('/')} parts=${parts} />`}<//>`;
}

function Page({ address }) {
  for (const [pattern, file] of PAGES) {
    const found = pattern.exec(address);
    if (found !== null) {
      return html`<${OtherPage} key=${file} file=${file} parts=${found.slice(1)} />`;
    }
  }
  return ['', '#', '#/'].includes(address) ? html`<${Datasets} />` : html`<${Nowhere} />`;
}

const Nowhere = () => html`<${Heading}>There is no such page<//><p><a href="#/">To the datasets</a></p>`;

function Theme() {
  const dark = matchMedia('(prefers-color-scheme: dark)').matches;
  const [theme, setTheme] = useState(dark ? 'dark' : 'light');
  const other = theme === 'dark' ? 'light' : 'dark';
  const change = () => {
    document.documentElement.dataset.theme = other;
    setTheme(other);
  };
  return html`<button class="outline small" onClick=${change}>${other === 'dark' ? 'Dark' : 'Light'}</button>`;
}

function Console() {
  const address = useAddress();
  const [signedIn, setSignedIn] = useState(false);
  const [expired, setExpired] = useState(false);
  const [left, setLeft] = useState(false);
  useEffect(() => {
    const end = () => { setExpired(true); setSignedIn(false); };
    addEventListener('purser-expired', end);
    return () => removeEventListener('purser-expired', end);
  }, []);
  const leave = () => { signOut(); setLeft(true); setExpired(false); setSignedIn(false); };
  const enter = () => { setExpired(false); setSignedIn(true); };
  const places = [['#/', 'Datasets'],
    ...may('custodian', 'analyst', 'collector') ? [['#/collections', 'Collections']] : [],
    ...may() ? [['#/keys', 'Keys']] : []];
  const at = places.map(([place]) => place).find((place) => place !== '#/' && address.startsWith(place)) ?? '#/';
  return html`<header>
      <a class="brand" href="#/">Purser</a>
      ${signedIn && html`<${Tabs} label="Places" items=${places} current=${at} />`}
      <span class="spring"></span>
      <a href="docs">API</a>
      <${Theme} />
      ${signedIn && html`<span>${self.name}, ${self.role}</span>
        <button class="outline small" onClick=${leave}>Sign out</button>`}
    </header>
    <main>${signedIn
      ? html`<${Page} address=${address} />`
      : html`<${SignIn} first=${!left && !expired} expired=${expired} onSignedIn=${enter} />`}</main>`;
}

render(html`<${Console} />`, document.getElementById('console'));
