/** Own questions and their answers, newest first. Opening one costs nothing. */
import { html, Loaded, Table, Text, useLoaded, useState } from './parts.js';
import { all, get } from './api.js';
import { deciding, unitOf, within } from './amounts.js';
import { DatasetHead } from './ask-tabs.js';
import { KINDS } from './kinds.js';
import { asked } from './sentences.js';
import * as words from './words.js';

export function Page({ parts: [id] }) {
  const [sought, setSought] = useState('');
  const { value: titled } = useLoaded(() => get(`/v1/datasets/${id}`), [id]);
  const loaded = useLoaded(() => all(`/v1/datasets/${id}/queries?order=desc`, 5000), [id]);
  return html`<${DatasetHead} id=${id} place="history" name="History" dataset=${titled} />
    <${Text} label="Search" type="search" value=${sought} onChange=${setSought}
      help="Kind, column, filter, epsilon or date." />
    <${Loaded} of=${loaded}>${(questions) => {
      const shown = questions.filter((each) => text(each).includes(sought.toLowerCase()));
      return shown.length === 0
        ? html`<p>${questions.length === 0 ? 'Nothing was asked with this key yet.' : 'No question contains this.'}</p>`
        : html`<${Table} rows=${shown.map((each) => line(id, each))}
            caption=${`${shown.length} of ${questions.length} questions`}
            head=${['Answer', 'What was asked', 'Epsilon', `Charged (${unitOf(shown[0].charge)})`, 'Within ±',
              'When']} />`;
    }}<//>`;
}

const text = (each) => [words.moment(each.at), said(each), each.question?.epsilon].join(' ').toLowerCase();

/** A charged question that is not answered yet has only its kind. */
const said = ({ kind, question }) => (question ? asked(kind, question) : KINDS[kind]?.title ?? kind);

const line = (id, each) => [
  each.state !== 'answered' ? 'charged, answer to come'
    : html`<a href=${KINDS[each.kind] ? `#/answers/${each.queryId}` : `#/datasets/${id}/sessions`}>Open</a>`,
  html`<span class="said">${said(each)}</span>`, each.question?.epsilon, deciding(each.charge),
  within(each.accuracy?.alpha), words.moment(each.at),
];
