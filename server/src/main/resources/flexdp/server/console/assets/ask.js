// The page on which questions are asked.
import * as api from './api.js';
import { answerView } from './answer.js';
import { labelsControl, valuesControl } from './beside.js';
import { fill, h, icon } from './dom.js';
import { editor } from './editor.js';
import { epsilonControl } from './epsilon.js';
import { cost, oneLine, plural } from './format.js';
import { schemaBrowser } from './schema.js';
import * as store from './store.js';
import { suggestions } from './suggestions.js';
import { copy, dialog, empty, field, problemBox, toast } from './ui.js';
import { askable, verdictView } from './verdict.js';

const PAUSE = 120;

/** Made once per sign-in and database, so that what is typed and answered outlives a visit to another page. */
export function askPage(desk) {
  const { session, schema, database } = desk;
  let verdict = null;
  let judged = null;
  let timer = 0;
  let asking = null;
  let answered = null;
  let typing = new AbortController();

  const verdictPlace = h('div', { class: 'verdict-place', role: 'status', 'aria-live': 'polite' });
  const earlier = h('p', { class: 'earlier', hidden: true });
  const answerPlace = h('section', { class: 'card answer', 'aria-label': 'Answer' });
  const frame = h('div', { class: 'editor', onclick: (e) => e.target === frame && sql.focus() });
  const epsilon = epsilonControl(Number(schema.defaults.epsilon), () => judge(PAUSE));
  const mechanism = h('select', { onchange: () => judge(0) }, ['auto', 'laplace', 'lomax', 'flex', 'released', 'gaussian'].map((m) => h('option', { value: m }, m)));
  const fresh = h('input', { type: 'checkbox', onchange: () => showAsk() });
  const values = valuesControl(() => judge(PAUSE));
  const labels = labelsControl(() => judge(PAUSE));
  const beside = h('span', { class: 'beside muted' });
  const askButton = h('button', { class: 'primary', type: 'button', disabled: true, onclick: ask }, icon('play'), 'Ask');
  const stopButton = h('button', { class: 'quiet', type: 'button', hidden: true, onclick: stop }, 'Cancel');
  const price = h('span', { class: 'ask-price muted' });
  const sql = editor(frame, { changed, submit: ask, label: 'SQL question' });
  sql.know(schema);

  function request() {
    return { sql: sql.text(), database, epsilon: epsilon.chosen(), mechanism: mechanism.value, parameters: values.chosen(), bins: labels.chosen() };
  }

  function changed(text) {
    store.keepDraft(session.user, database, text);
    sql.mark(null);
    values.show(text);
    showEarlier();
    judge(PAUSE);
  }

  /** Below another question an answer says whose it is. */
  function showEarlier() {
    earlier.hidden = answered === null || oneLine(answered) === oneLine(sql.text());
    if (!earlier.hidden) {
      fill(earlier, 'To an earlier question: ', h('button', { class: 'linkish', type: 'button', title: 'Put it back', onclick: () => sql.write(answered) }, h('code', {}, oneLine(answered))));
    }
  }

  function judge(pause) {
    clearTimeout(timer);
    typing.abort();
    typing = new AbortController();
    judged = null;
    showAsk();
    if (sql.text().trim() === '') return show(null);
    const lacking = lacks();
    if (lacking) return show(lacking);
    outdate();
    timer = setTimeout(() => explain(typing.signal), pause);
  }

  /** What was said of another text stays to be read, greyed; its buttons would hit the wrong place. */
  function outdate() {
    for (const old of verdictPlace.children) {
      old.classList.add('outdated');
      old.inert = true;
    }
  }

  /** What has to be mended here, before the server is worth asking; it is said like any verdict. */
  function lacks() {
    try {
      const own = labels.chosen();
      beside.textContent = own ? `with ${plural(own.rows.length, 'label')} of your own` : '';
    } catch (e) {
      return { status: 'rejected', message: e.message, hint: 'It stands under More, Labels of your own.', code: 'LABELS' };
    }
    const missing = values.missing();
    return missing.length === 0 ? null : { status: 'open', message: `Give a value for ${missing.join(', ')}, or choose NULL.` };
  }

  async function explain(signal) {
    const asked = request();
    try {
      const said = await api.explain(asked, signal);
      judged = JSON.stringify(asked);
      show(said);
    } catch (e) {
      if (e.name === 'AbortError') return;
      verdict = null;
      fill(verdictPlace, problemBox(e, () => judge(0)));
      showAsk();
    }
  }

  function apply(fix) {
    sql.replace(fix.from, fix.to, fix.text);
    toast('The hint is applied.');
  }

  function show(said) {
    verdict = said;
    sql.mark(said, apply);
    fill(verdictPlace, verdictView(said, desk.accounts(), { goTo: sql.goTo, apply }));
    showAsk();
  }

  function showAsk() {
    askButton.disabled = asking !== null || judged === null || !askable(verdict);
    stopButton.hidden = asking === null;
    const free = askable(verdict) && ((verdict.repeat && !fresh.checked) || (verdict.charged ?? []).length === 0);
    price.textContent = askButton.disabled ? '' : free ? 'free' : `for ε ${cost(verdict.cost.epsilon)}`;
  }

  async function ask() {
    if (asking !== null || lacks()) return;
    if (judged !== JSON.stringify(request())) {
      clearTimeout(timer);
      await explain(typing.signal);
    }
    if (!askable(verdict) || asking !== null) return;
    const asked = request();
    answered = null;
    asking = `c${crypto.getRandomValues(new Uint32Array(2)).join('')}`;
    showAsk();
    answerPlace.setAttribute('aria-busy', 'true');
    fill(answerPlace, h('div', { class: 'loading big', role: 'status' }, h('span', { class: 'spinner' }), 'The database is working. You may leave this page; the answer waits here.'));
    try {
      const answer = await api.ask({ ...asked, intervals: true, fresh: fresh.checked || undefined, id: asking });
      fill(answerPlace, answerView(answer));
      answerPlace.firstChild.after(earlier);
      answered = asked.sql;
      showEarlier();
      answerPlace.querySelector('.answer-title').focus({ preventScroll: true });
      fresh.checked = false;
    } catch (e) {
      fill(answerPlace, h('div', { class: 'pad stack' }, problemBox(e), e.code === 'BUDGET_EXHAUSTED' && exhausted()));
    } finally {
      asking = null;
      answerPlace.removeAttribute('aria-busy');
      await desk.refreshBudget();
      show(verdict);
    }
  }

  function exhausted() {
    return h('p', { class: 'muted' }, 'Questions that you asked before can be repeated free: see ', h('a', { href: '#/history' }, 'History'), '. For new ones the owner has to grant more.');
  }

  async function stop() {
    if (asking === null) return;
    try {
      await api.cancel(asking);
    } catch (e) {
      toast(e.message);
    }
  }

  function save() {
    const title = h('input', { required: true, maxlength: 120, '.value': oneLine(sql.text()).slice(0, 60) });
    const box = dialog('Save this question', h('form', { class: 'stack', onsubmit: (e) => {
      e.preventDefault();
      const all = store.saved(session.user, database);
      all.unshift({ title: title.value, sql: sql.text(), epsilon: epsilon.chosen(), values: values.chosen(), labels: labels.text(), at: new Date().toISOString() });
      toast(store.keepSaved(session.user, database, all) ? 'Saved in this browser.' : 'This browser keeps nothing; it was not saved.');
      box.close();
    } }, field('Title', title, 'Saved questions stay in this browser; answers are not kept.'), h('button', { class: 'primary', type: 'submit' }, 'Save')));
    title.select();
  }

  function link() {
    const parameters = new URLSearchParams({ q: sql.text(), db: database });
    if (epsilon.chosen() !== undefined) parameters.set('e', String(epsilon.chosen()));
    if (values.chosen() !== undefined) parameters.set('v', JSON.stringify(values.chosen()));
    if (labels.text() !== '') parameters.set('l', labels.text());
    copy(`${location.origin}${location.pathname}#/ask?${parameters}`, 'Link copied. Whoever opens it sees the question; it asks nothing by itself.');
  }

  /** Puts a question into the editor, with what stands beside it; asking it is up to the user. */
  function put(text, chosen, more = {}) {
    epsilon.set(chosen ?? schema.defaults.epsilon);
    values.set(more.values);
    labels.set(more.labels);
    sql.write(text);
    sql.focus();
    scrollTo({ top: 0 });
  }

  const tables = h('aside', { class: 'schema', id: 'schema', 'aria-label': 'Tables' }, schemaBrowser(schema, sql.insert));
  const toggle = h('button', { class: 'quiet small schema-toggle', type: 'button', 'aria-controls': 'schema', 'aria-expanded': 'false', onclick: () => {
    const open = tables.classList.toggle('shown');
    toggle.setAttribute('aria-expanded', String(open));
  } }, icon('table'), 'Tables');

  const tryThese = suggestions(schema, put);
  function examples() {
    const box = dialog('Questions to try', suggestions(schema, (text) => {
      box.close();
      put(text);
    }));
    box.classList.add('broad');
  }
  const titled = tryThese && [h('div', { class: 'card-head' }, h('h2', {}, 'Questions to try')), tryThese];
  fill(answerPlace, titled ?? empty('No answer yet', 'Ask something; the answer appears here with its error bars.'));
  const element = h(
    'main',
    { class: 'ask-page' },
    tables,
    h(
      'div',
      { class: 'work' },
      h('h1', { class: 'sr' }, 'Ask'),
      h(
        'section',
        { class: 'card question', 'aria-label': 'Question' },
        h('div', { class: 'card-head' }, h('h2', {}, 'Question'), h('span', { class: 'space' }), toggle,
          tryThese && h('button', { class: 'quiet small', type: 'button', onclick: examples }, icon('help'), 'Examples'),
          h('button', { class: 'quiet small', type: 'button', onclick: save }, icon('save'), 'Save'),
          h('button', { class: 'quiet small', type: 'button', onclick: link }, icon('link'), 'Link')),
        frame,
        values.element,
        h('div', { class: 'controls' }, epsilon.element,
          h('details', { class: 'more' }, h('summary', {}, icon('chevron'), 'More'), h('div', { class: 'more-body' }, field('Noise', mechanism), labels.element, h('label', { class: 'check' }, fresh, ' Pay for a new answer, even to a question answered before'))),
          beside, h('span', { class: 'space' }), price, stopButton, askButton),
        verdictPlace,
      ),
      answerPlace,
      h('p', { class: 'keys muted' }, h('kbd', {}, 'Ctrl'), ' ', h('kbd', {}, 'Enter'), ' asks · ', h('kbd', {}, 'Ctrl'), ' ', h('kbd', {}, 'Space'), ' completes · ', h('kbd', {}, 'Esc'), ' ', h('kbd', {}, 'Tab'), ' leaves the editor'),
    ),
  );
  const draft = store.draft(session.user, database);
  if (draft) sql.write(draft);
  else show(null);
  return { element, put, text: sql.text, focus: sql.focus, judge: () => judge(0), budgetChanged: () => verdict && show(verdict) };
}
