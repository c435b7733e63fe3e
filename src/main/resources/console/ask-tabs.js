/** The places of one dataset. */
import { html, Tabs } from './parts.js';
import { may } from './api.js';

export function DatasetTabs({ id, current }) {
  const place = `#/datasets/${id}`;
  return html`<${Tabs} label="Places of the dataset" current=${current} items=${[
    [place, 'Ask'], ...may('analyst') ? [[`${place}/sessions`, 'Sessions'], [`${place}/history`, 'History']] : [],
    [`${place}/budget`, 'Budget'],
    ...may('custodian') ? [[`${place}/rows`, 'Rows']] : []]} />`;
}
