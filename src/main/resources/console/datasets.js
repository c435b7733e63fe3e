/** All datasets that the key may see, as cards. Without a dataset, the three steps to the first one. */
import { html, Copyable, Heading, Loaded, Refusal, BudgetBar, Text, useAction, useLoaded, useState } from './parts.js';
import { all, at, get, may, post, self, upload } from './api.js';
import * as words from './words.js';

/** The most cards that are drawn. The search finds the others. */
const MOST_CARDS = 48;

/** The purpose of keys that see no dataset. */
const ELSEWHERE = {
  operator: () => html`<p>This key reads the service's metrics, for a monitor such as Prometheus. It sees no dataset, no
      question and no answer.</p>
    <${Copyable} label="Metrics"
      text=${`curl -H "Authorization: Bearer $KEY" ${location.origin}/actuator/prometheus`} />
    <p>Whether the service can answer is said without a key, at <code>/actuator/health</code>.</p>`,
  collector: () => html`<p>This key sends reports of devices to collections. It sees no dataset, no question and no
      estimate.</p><p><a href="#/collections" role="button">To the collections</a></p>`,
};

export function Datasets() {
  const elsewhere = ELSEWHERE[self.role];
  return elsewhere ? html`<${Heading}>What this key is for<//><p class="quiet">${words.key(self)}</p>${elsewhere()}`
    : html`<${AllDatasets} />`;
}

function AllDatasets() {
  const [sought, setSought] = useState('');
  const loaded = useLoaded(() => all('/v1/datasets'), []);
  const found = (datasets) => datasets.filter((each) =>
    `${each.id} ${each.title ?? ''}`.toLowerCase().includes(sought.toLowerCase()));
  return html`<${Heading}>Datasets<//>
    <p class="quiet">${words.key(self)}</p>
    <${Loaded} of=${loaded}>${(datasets) => datasets.length === 0
      ? html`<${FirstSteps} again=${loaded.again} />`
      : html`
        ${datasets.length > 6 && html`<${Text} label="Search" type="search" value=${sought} onChange=${setSought} />`}
        <div class="cards">${found(datasets).slice(0, MOST_CARDS).map((item) =>
          html`<${Card} key=${item.id} item=${item} />`)}</div>
        ${found(datasets).length > MOST_CARDS && html`<p>
          ${found(datasets).length - MOST_CARDS} more: search for them.</p>`}
        ${may('custodian') && html`<p>
          <a href="#/register" role="button" class="secondary">Register a dataset</a></p>`}`}
    <//>`;
}

/** The page to which a card leads, for roles that ask no questions. */
const PLACES = { viewer: '/answers', auditor: '/budget', custodian: '/rows' };

function Card({ item }) {
  const { value } = useLoaded(async () => {
    const [dataset, books] = await Promise.all(['', '/budget'].map((part) => get(`/v1/datasets/${item.id}${part}`)));
    return { dataset, books };
  }, [item.id]);
  const empty = item.state !== 'ready' && may('custodian');
  const place = `#/datasets/${item.id}${PLACES[self.role] ?? (empty ? '/rows' : '')}`;
  return html`<article>
    <h2><a href=${place}>${item.title ?? item.id}</a></h2>
    <code class="id">${item.id}</code>
    <p>${value && html`${words.protection(value.dataset)}
      ${' '}<span class="state">${words.state(value.dataset)}</span>`}</p>
    <div class="bottom">${value && html`<${BudgetBar} books=${value.books} />`}</div>
  </article>`;
}

function FirstSteps({ again }) {
  if (!may('custodian')) {
    return html`<p>No dataset is granted to this key yet. Ask the custodian or the administrator for a grant.</p>`;
  }
  return html`<p>There is no dataset yet. Three steps lead to the first answer:</p>
    <ol>
      <li>Register a dataset: its columns with public bounds, whom it protects, and its budget.</li>
      <li>Upload its rows as CSV or Parquet.</li>
      <li>Ask. Each answer says what it costs before it is bought.</li>
    </ol>
    <div class="actions"><a href="#/register" role="button">Register a dataset</a><${Clinic} again=${again} /></div>`;
}

/** The example of the README: 2,400 visits that never took place. */
const CLINIC = {
  id: 'visits', title: 'Visits to a clinic (invented)',
  columns: [
    { name: 'age', type: 'integer', lower: 0, upper: 110 },
    { name: 'minutes', type: 'decimal', lower: 0, upper: 120, resolution: 0.5 },
    { name: 'ward', type: 'category', categories: ['emergency', 'maternity', 'outpatient', 'surgery'] },
    { name: 'sex', type: 'category', categories: ['Female', 'Male'] },
  ],
  privacyUnit: { type: 'row' }, neighboringRelation: 'add-or-remove-one', maxRows: 10000,
  budget: { epsilon: '5', delta: '0' }, accountant: 'pure', source: { type: 'upload' },
};

function Clinic() {
  const [step, setStep] = useState('Load the invented clinic');
  const [busy, problem, load] = useAction(async () => {
    setStep('Registering');
    await post('/v1/datasets', CLINIC);
    setStep('Uploading');
    const rows = await (await fetch(at('/console/visits.csv'))).blob();
    await upload('/v1/datasets/visits/data', rows,
      { type: 'text/csv', onProgress: () => {}, signal: new AbortController().signal });
    location.hash = '#/datasets/visits';
  });
  return html`<button class="secondary" aria-busy=${busy} disabled=${busy} onClick=${load}>${step}</button>
    <${Refusal} problem=${problem} />`;
}
