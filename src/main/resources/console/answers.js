/** The stored answers and synopses of a dataset, whoever bought them. Reading one costs nothing, also for viewers. */
import {
  html, Loaded, Refusal, Select, Table, Text, useAction, useEffect, useLoaded, useRef, useState,
} from './parts.js';
import { all, get } from './api.js';
import { within } from './amounts.js';
import { Answer } from './answer.js';
import { DatasetHead } from './ask-tabs.js';
import { Only } from './forms.js';
import { KINDS } from './kinds.js';
import { asked } from './sentences.js';
import * as words from './words.js';

const ROLES = ['viewer', 'analyst', 'custodian'];
const MOST = 2000;
const ANY = 'all';

export const Page = ({ parts: [id] }) =>
  html`<${Only} roles=${ROLES} title="Stored answers"><${Answers} id=${id} /><//>`;

const title = (kind) => KINDS[kind]?.title ?? kind;

function Answers({ id }) {
  const [sought, setSought] = useState('');
  const [kind, setKind] = useState(ANY);
  const [open, setOpen] = useState(null);
  const shown = useRef(null);
  const loaded = useLoaded(async () => {
    const [dataset, answers] = await Promise.all([
      get(`/v1/datasets/${id}`), all(`/v1/datasets/${id}/answers?order=desc`, MOST)]);
    return { dataset, answers: answers.map((each) => ({ ...each, text: asked(each.kind, each.question) })) };
  }, [id]);
  const [busy, problem, show] = useAction(async (queryId) => setOpen(await get(`/v1/queries/${queryId}`)));
  useEffect(() => shown.current?.scrollIntoView(), [open]);
  return html`<${DatasetHead} id=${id} place="answers" name="Stored answers" dataset=${loaded.value?.dataset} />
    <p>Whatever anybody bought here is kept. To read it again costs nothing and changes no budget. Nothing says who
      asked.</p>
    <${Loaded} of=${loaded}>${({ dataset, answers }) => answers.length === 0
      ? html`<p>Nothing is stored yet. Once an analyst has bought an answer, it stands here.</p>`
      : html`<div ref=${shown}>${open
          && html`<${Answer} key=${open.queryId} dataset=${dataset} envelope=${open} />`}</div>
        <${Refusal} problem=${problem} />
        <div class="row"><${Text} label="Search" type="search" value=${sought} onChange=${setSought} />
          <${Select} label="Kind" value=${kind} onChange=${setKind} options=${[[ANY, 'all'],
            ...[...new Set(answers.map((each) => each.kind))].map((each) => [each, title(each)])]} /></div>
        <${Found} busy=${busy} show=${show} answers=${answers.filter((each) => (kind === ANY || each.kind === kind)
          && each.text.toLowerCase().includes(sought.toLowerCase()))} />`}<//>`;
}

const Found = ({ answers, busy, show }) => html`<${Table}
  caption=${`${answers.length} stored answers, the newest first`}
  head=${['Show', 'What was asked', 'Within ±', 'When']} rows=${answers.map((each) => [
    html`<button type="button" class="small" disabled=${busy} aria-label=${`Show: ${each.text}`}
      onClick=${() => show(each.queryId)}>Show</button>`,
    html`<span class="said">${each.text}</span>`,
    `${within(each.accuracy?.alpha)}${each.accuracy?.unit === 'rank' ? ' ranks' : ''}`,
    words.moment(each.answeredAt)])} />`;
