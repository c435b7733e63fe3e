/**
 * Speaks the public API. The key is kept in this module's memory alone: closing or reloading the tab forgets it. It is
 * sent in a header, never in an address.
 */
let key = null;

/** Where the service is, as the browser sees it: a proxy may put it under a prefix. */
const ROOT = new URL('..', import.meta.url);

/** The full address of a path of the service; a full address stays. */
export const at = (path) => (path.startsWith('/') ? new URL(path.slice(1), ROOT).href : path);

/** The caller, as /v1/keys/self describes it; null before a sign-in. */
export let self = null;

/** The failure of a request: a problem document of the service, or the document OFFLINE if it was not reached. */
export class Problem extends Error {
  constructor(document) {
    super(document.detail ?? document.title);
    this.document = document;
    this.slug = (document.type ?? '').split('/').pop();
  }
}

const OFFLINE = {
  type: 'offline', title: 'The service cannot be reached.',
  detail: 'No answer came. What was sent may have been received. Sending it again is safe: it counts once.',
};

/** A name that nobody else draws, for requests that must count once. */
const freshKey = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');

/** Without a key, a proxy in front of the service adds the credential of the person whom it signed in. */
const credential = () => (key === null ? {} : { Authorization: `Bearer ${key}` });

async function send(method, path, { body, headers = {}, signal } = {}) {
  const sent = { ...credential(), Accept: 'application/json', ...headers };
  if (body !== undefined && !(body instanceof Blob)) {
    sent['Content-Type'] = 'application/json';
    body = JSON.stringify(body);
  }
  let reply;
  try {
    reply = await fetch(at(path),
      { method, headers: sent, body, signal, cache: 'no-store', credentials: 'same-origin' });
  } catch (failure) {
    throw failure.name === 'AbortError' ? failure : new Problem(OFFLINE);
  }
  if (!reply.ok) {
    throw await refusal(reply);
  }
  return reply;
}

async function refusal(reply) {
  const text = await reply.text();
  const problem = new Problem(parsed(text) ?? { title: `The reply has the status ${reply.status}.` });
  if (reply.status === 401 && self !== null) {
    signOut();
    dispatchEvent(new Event('purser-expired'));
  }
  return problem;
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** The JSON of a reply; null if it has none. */
export async function get(path, options) {
  return (await send('GET', path, options)).json();
}

export async function post(path, body, options) {
  const reply = await send('POST', path, { body, ...options });
  return reply.status === 204 ? null : reply.json();
}

/** Keys of spending requests that have no reply yet. */
const unanswered = new Map();

/** Spends once, also if replies are lost: until a reply came, the same request has the same idempotency key. */
export async function once(path, body) {
  const text = JSON.stringify([path, body]);
  unanswered.set(text, unanswered.get(text) ?? freshKey());
  const reply = await post(path, body, { headers: { 'Idempotency-Key': unanswered.get(text) } });
  unanswered.delete(text);
  return reply;
}

export async function patch(path, body) {
  return (await send('PATCH', path, { body })).json();
}

export async function put(path, body, options) {
  return (await send('PUT', path, { body, ...options })).json();
}

export async function remove(path) {
  await send('DELETE', path);
}

/** The stored answer to a question, whoever asked it, or null. The request forbids a charge. */
export async function stored(path, body, { signal }) {
  try {
    return await post(path, { ...body, spend: false }, { signal, headers: { 'Idempotency-Key': freshKey() } });
  } catch (problem) {
    if (problem.name === 'AbortError') {
      throw problem;
    }
    return null; // Nothing is stored, or the service cannot be asked now: the question has its price.
  }
}

/** A table or a list as the CSV of the service. The pages of a list are joined. */
export async function csv(path) {
  let [text, next] = ['', path];
  while (next !== undefined) {
    const reply = await send('GET', next, { headers: { Accept: 'text/csv' } });
    const page = await reply.text();
    text += text === '' ? page : page.slice(page.indexOf('\n') + 1);
    const link = /<([^>]+)>; rel="next"/.exec(reply.headers.get('Link'))?.[1];
    next = link && new URL(link, reply.url).href;
  }
  return text;
}

/** The unchanged bytes of a reply, for digests. */
export async function bytes(path, options) {
  return new Uint8Array(await (await send('GET', path, options)).arrayBuffer());
}

/** The items of a list, page by page. */
export async function* pages(path) {
  let after = '';
  do {
    const join = path.includes('?') ? '&' : '?';
    const page = await get(`${path}${join}limit=1000${after && `&after=${encodeURIComponent(after)}`}`);
    yield page.items;
    after = page.next;
  } while (after !== null);
}

/** The items of a list from its beginning: all, or at least as many as this. */
export async function all(path, most = 20_000) {
  const items = [];
  for await (const page of pages(path)) {
    items.push(...page);
    if (items.length >= most) {
      break;
    }
  }
  return items;
}

/** Server-sent events: calls with each one until the signal aborts or the stream ends. */
export async function events(path, signal, each) {
  const reply = await send('GET', path, { headers: { Accept: 'text/event-stream' }, signal });
  const reader = reply.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    const blocks = (rest + part.value).split(/\r?\n\r?\n/);
    rest = blocks.pop();
    for (const block of blocks) {
      const data = block.split(/\r?\n/).filter((line) => line.startsWith('data:')).map((line) => line.slice(5).trim());
      if (data.length > 0) {
        each(JSON.parse(data.join('\n')));
      }
    }
  }
}

/**
 * Uploads a file. Only XMLHttpRequest reports the progress of an upload.
 *
 * @param onProgress called with the share that is sent, 0 to 1
 */
export function upload(path, file, { type, onProgress, signal }) {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('PUT', at(path));
    Object.entries(credential()).forEach(([name, value]) => request.setRequestHeader(name, value));
    request.setRequestHeader('Content-Type', type);
    request.upload.onprogress = (event) => event.lengthComputable && onProgress(event.loaded / event.total);
    request.onload = () => {
      const reply = parsed(request.responseText) ?? { title: `The reply has the status ${request.status}.` };
      request.status < 300 ? resolve(reply) : reject(new Problem(reply));
    };
    request.onerror = () => reject(new Problem(OFFLINE));
    request.onabort = () => reject(new DOMException('The upload was cancelled.', 'AbortError'));
    signal.addEventListener('abort', () => request.abort());
    request.send(file);
  });
}

/** Signs in the person whom a proxy in front of the service has signed in. Returns whether there is such a proxy. */
export async function signInByProxy() {
  const added = await get('/console/credential');
  if (added) {
    self = await get('/v1/keys/self');
  }
  return added;
}

/** Keeps a key after the service has accepted it. */
export async function signIn(entered) {
  key = entered;
  try {
    self = await get('/v1/keys/self');
  } catch (refused) {
    key = null;
    throw refused;
  }
}

export function signOut() {
  key = null;
  self = null;
}

/** Whether the caller's role is one of these; an administrator may do everything. */
export const may = (...roles) => self !== null && ['administrator', ...roles].includes(self.role);
