/** Own questions and their answers, newest first. Opening one costs nothing. */
import { html, Loaded, Table, Text, useLoaded, useState } from './parts.js';
import { all, get } from './api.js';
import { deciding, unitOf, within } from './amounts.js';
import { DatasetHead } from './ask-tabs.js';
import { KINDS } from './kinds.js';
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
            head=${['When', 'Question', 'Filter', 'Blocks', 'Epsilon', `Charged (${unitOf(shown[0].charge)})`,
              'Within ±', 'Answer']} />`;
    }}<//>`;
}

const text = (each) => [words.moment(each.at), each.kind, KINDS[each.kind]?.title, JSON.stringify(each.question)]
  .join(' ').toLowerCase();

const filter = ({ where = [] }) => where.map((condition) => Object.entries(condition)
  .map(([name, value]) => (name === 'column' ? value : `${name} ${value}`)).join(' ')).join(' and ');

/** A charged question that is not answered yet has only its kind. */
const line = (id, { question, ...each }) => [
  words.moment(each.at), `${KINDS[each.kind]?.title ?? each.kind}${question?.column ? `: ${question.column}` : ''}`,
  question && filter(question), question?.blocks && words.window(question.blocks),
  question?.epsilon, deciding(each.charge), within(each.accuracy?.alpha),
  each.state !== 'answered' ? 'charged, answer to come'
    : html`<a href=${KINDS[each.kind] ? `#/answers/${each.queryId}` : `#/datasets/${id}/sessions`}>Open</a>`,
];
