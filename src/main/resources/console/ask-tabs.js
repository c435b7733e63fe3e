/** The pages of one dataset, and the current page. */
import { html, Heading, Tabs } from './parts.js';
import { may } from './api.js';

/**
 * The head of a page about a dataset: the name of the page, the dataset's title and id, and the other pages.
 *
 * @param place the last part of the page's address; empty for questions
 * @param dataset null until it is loaded: then its id alone is shown
 */
export function DatasetHead({ id, place, name = null, dataset = null }) {
  const title = dataset?.title ?? null;
  const at = (part) => `#/datasets/${id}${part && `/${part}`}`;
  return html`<${Heading} key=${at(place)} title=${[name, title, id].filter(Boolean).join(' · ')}>
      ${name && html`${name}${title && ':'} `}${title && `${title} `}<code class="id">${id}</code><//>
    <${Tabs} label="Places of the dataset" current=${at(place)} items=${[
      [at(''), 'Ask'], ...may('analyst', 'viewer', 'custodian') ? [[at('answers'), 'Stored answers']] : [],
      ...may('analyst') ? [[at('sessions'), 'Sessions'], [at('history'), 'History']] : [],
      [at('budget'), 'Budget'], ...may('custodian') ? [[at('rows'), 'Rows']] : []]} />`;
}
