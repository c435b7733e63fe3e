/** All collections: values that devices randomize before they send them. */
import { html, Heading, Loaded, Table, useLoaded } from './parts.js';
import { all, may, post } from './api.js';
import { Entry, Send, list, number, useForm } from './forms.js';
import * as words from './words.js';

export function Page() {
  const loaded = useLoaded(() => all('/v1/collections'), []);
  // One element as the root: the vendored preact would put the form first.
  return html`<div><${Heading}>Collections<//>
    <p>A collection gathers reports that each device randomized itself. Nobody else ever has the values, so no budget of
      a dataset is charged.</p>
    <${Loaded} of=${loaded}>${(items) => items.length === 0
      ? html`<p>There is no collection that this key may see.</p>`
      : html`<${Table} caption="Collections"
          head=${['Collection', 'Protocol', 'Epsilon of a report', 'State', 'Opened']} rows=${items.map((each) => [
            html`<a href=${`#/collections/${each.id}`}>${each.id}</a>`, each.protocol, each.epsilon,
            each.state, words.moment(each.openedAt)])} />`}<//>
    ${may('custodian') && html`<${Open} />`}</div>`;
}

const NUMBERS = [['hybrid', 'hybrid: good at every epsilon'], 'piecewise', 'harmony', 'laplace'];
const CATEGORIES = [['frequencies', 'the one of least variance'], 'grr', 'oue', 'olh', 'hadamard'];

function Open() {
  const form = useForm(
    { id: '', of: 'numbers', protocol: 'hybrid', range: { lower: '0', upper: '100' }, categories: '', epsilon: '1' },
    async ({ id, of, protocol, range, categories, epsilon }) => {
      const values = of === 'numbers'
        ? { range: { lower: number(range.lower), upper: number(range.upper) } }
        : { categories: list(categories, '\n') };
      const opened = await post('/v1/collections', { id: id.trim(), protocol, epsilon: epsilon.trim(), ...values });
      location.hash = `#/collections/${opened.id}`;
    });
  const { of, epsilon } = form.values;
  const change = (at, chosen) => {
    form.set(at, chosen);
    form.set('/protocol', chosen === 'numbers' ? 'hybrid' : 'frequencies');
  };
  return html`<form onSubmit=${form.submit} novalidate><h2>Open a collection</h2>
    <div class="row top">
      <${Entry} form=${form} at="/id" label="Id" help="Such as commute-minutes. It is never used again." />
      <${Entry} form=${form} at="/of" label="Values" onChange=${change}
        options=${[['numbers', 'numbers of a range'], ['categories', 'one of several categories']]} />
      <${Entry} form=${form} at="/protocol" label="Protocol" options=${of === 'numbers' ? NUMBERS : CATEGORIES} />
    </div>
    <div class="row top">
      ${of === 'numbers'
        ? html`<${Entry} form=${form} at="/range/lower" label="From" inputmode="decimal" />
            <${Entry} form=${form} at="/range/upper" label="To" inputmode="decimal" help="Others are moved inside." />`
        : html`<${Entry} form=${form} at="/categories" label="Categories, each on a line" lines />`}
      <${Entry} form=${form} at="/epsilon" label="Epsilon of one report" inputmode="decimal" help=${Number(epsilon) > 0
        && `A guess of 50\u00a0:\u00a050 between two values moves to at most ${words.odds(epsilon)} through it.`} />
    </div>
    <${Send} form=${form}>Open it<//></form>`;
}
