// The only place that talks to the server, and only to the one the page came from.

/** What the server said no with: its code, sentence and hint. */
export class Problem extends Error {
  constructor(status, body) {
    super(body.message ?? body.detail ?? 'The server gave no reason.');
    this.status = status;
    this.code = body.code ?? 'INTERNAL';
    this.hint = body.hint ?? '';
    this.title = body.title ?? '';
    this.line = body.line;
    this.column = body.column;
  }
}

const NO_SERVER = {
  code: 'NO_SERVER',
  message: 'The server does not answer.',
  hint: 'Is it running? Nothing that you typed is lost; try again when it is back.',
};

let csrf = null;
let expired = () => {};

/** Called when the session has ended under an open page. */
export function whenExpired(listener) {
  expired = listener;
}

async function call(method, path, body, { signal, quiet } = {}) {
  const headers = { Accept: 'application/json' };
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  if (method !== 'GET' && csrf) headers['X-CSRF-Token'] = csrf;
  let response;
  try {
    response = await fetch(path, {
      method,
      headers,
      body: body === undefined ? undefined : JSON.stringify(body),
      credentials: 'same-origin',
      redirect: 'error',
      signal,
    });
  } catch (e) {
    if (e.name === 'AbortError') throw e;
    throw new Problem(0, NO_SERVER);
  }
  const text = await read(response);
  if (response.ok) return text === '' ? null : JSON.parse(text);
  const problem = new Problem(response.status, parsed(text));
  if (!quiet && ((problem.status === 401 && problem.code === 'NOT_SIGNED_IN') || problem.code === 'CSRF')) expired();
  throw problem;
}

/** The answer's text; a connection that breaks in the middle is a server that does not answer. */
async function read(response) {
  try {
    return await response.text();
  } catch (e) {
    if (e.name === 'AbortError') throw e;
    throw new Problem(0, NO_SERVER);
  }
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}

function query(path, parameters) {
  const given = Object.entries(parameters).filter(([, v]) => v !== undefined && v !== null && v !== '');
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`;
}

function signedIn(session) {
  csrf = session.csrf ?? null;
  return session.user ? session : null;
}

export const session = async () => signedIn(await call('GET', 'v1/session'));
export const signIn = async (user, password) =>
  signedIn(await call('POST', 'v1/session', { user, password }, { quiet: true }));
export const signOut = async () => {
  await call('DELETE', 'v1/session', undefined, { quiet: true });
  csrf = null;
};

export const schema = (database) => call('GET', query('v1/schema', { database }));
export const explain = (request, signal) => call('POST', 'v1/explain', request, { signal });
export const ask = (request) => call('POST', 'v1/ask', request);
export const running = () => call('GET', 'v1/questions');
export const cancel = (id) => call('DELETE', `v1/questions/${encodeURIComponent(id)}`);
export const budget = (database) => call('GET', query('v1/budget', { database }));
export const history = (parameters) => call('GET', query('v1/history', parameters));

export const watches = (database) => call('GET', query('v1/watches', { database }));
export const addWatch = (request) => call('POST', 'v1/watches', request);
export const runWatches = (database) => call('POST', 'v1/watches/run', { database });
export const removeWatch = (name, database) => call('DELETE', query(`v1/watches/${encodeURIComponent(name)}`, { database }));

export const analyze = (request) => call('POST', 'v1/analyze', request);
export const budgets = (database) => call('GET', query('v1/owner/budgets', { database }));
export const grant = (request) => call('POST', 'v1/owner/grants', request);
export const audit = (database) => call('GET', query('v1/owner/audit', { database, limit: 200 }));
export const metrics = (database) => call('GET', query('v1/owner/metrics', { database }));
export const failures = (database) => call('GET', query('v1/owner/failures', { database }));
export const clearFailures = (request) => call('POST', 'v1/owner/failures/clear', request);
export const users = () => call('GET', 'v1/owner/users');
const person = (name) => `v1/owner/users/${encodeURIComponent(name)}`;
export const addUser = (request) => call('POST', 'v1/owner/users', request);
export const removeUser = (name) => call('DELETE', person(name));
export const newPassword = (name) => call('POST', `${person(name)}/password`, {});
export const addToken = (name, token) => call('POST', `${person(name)}/tokens`, { name: token });
export const removeToken = (name, token) =>
  call('DELETE', `${person(name)}/tokens/${encodeURIComponent(token)}`);
