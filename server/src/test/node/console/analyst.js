// What an analyst does on a good day.
const assert = require('node:assert');
const fs = require('node:fs');
const { accepted, ask, write } = require('./browser.js');

const PAYMENTS = "SELECT payment, COUNT(*) AS trips FROM trips WHERE status = 'completed' GROUP BY payment ORDER BY trips DESC";

module.exports = [
  ['a wrong password is refused, the right one opens', async (browser, password) => {
    browser.allowed.add('401');
    const page = await browser.page();
    await page.goto(browser.url);
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await browser.look(page, 'sign-in');
    await page.getByLabel('Name').fill('ann');
    await page.getByLabel('Password').fill('wrong');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').waitFor();
    await browser.look(page, 'sign-in-refused');
    await page.getByLabel('Password').fill(password);
    await page.keyboard.press('Enter');
    await page.locator('.ask-page').waitFor();
    await browser.look(page, 'ask-empty');
  }],

  ['the link of the demo fills the form in and signs nobody in', async (browser, password) => {
    const page = await browser.page();
    await page.goto(`${browser.url}#/signin?user=ann&password=${encodeURIComponent(password)}`);
    assert.equal(await page.getByLabel('Name').inputValue(), 'ann');
    assert.ok(!page.url().includes('password'), 'the password stays in the address');
    await page.waitForLoadState('networkidle');
    assert.equal(await page.locator('header.top').count(), 0);
    await page.keyboard.press('Enter');
    await page.locator('.ask-page').waitFor();
  }],

  ['questions to try are offered, and one click writes one', async (browser, password) => {
    const page = await browser.page();
    await browser.signIn(page, 'ann', password);
    await page.locator('.try-item').first().click();
    await accepted(page);
    await page.locator('.forecast strong').first().waitFor();
  }],

  ['the tables show labels, ranges and what is protected', async (browser, password) => {
    const page = await browser.page();
    await browser.signIn(page, 'ann', password);
    const trips = page.locator('details[data-name=trips]');
    for (const text of ['completed', 'cancelled', '0 to 500', 'drivers.id', 'each row']) {
      await trips.getByText(text).first().waitFor();
    }
    await page.locator('details[data-name=cities]').getByText('public').waitFor();
    await page.getByLabel('Find a table or column').fill('vehicle');
    await page.locator('details[data-name=drivers] .column-name', { hasText: 'vehicle' }).click();
    assert.match(await page.locator('.cm-content').innerText(), /vehicle/);
    assert.ok(await page.locator('details[data-name=cities]').isHidden());
  }],

  ['a question is judged while it is typed; one click applies the hint', async (browser, password) => {
    const page = await browser.page();
    await browser.signIn(page, 'ann', password);
    await page.getByRole('textbox', { name: 'SQL question' }).click();
    await page.keyboard.type('SELECT COUNT(*) FROM trips WHERE statsu = ');
    await page.keyboard.press('Escape');
    await page.keyboard.insertText("'completed'");
    await page.keyboard.press('Escape');
    await page.locator('.verdict.bad').getByText('UNKNOWN_COLUMN').waitFor();
    assert.equal(await page.locator('.cm-lintRange-error').innerText(), 'statsu');
    await browser.look(page, 'refused-with-hint');
    await page.locator('.fix', { hasText: 'status' }).click();
    await accepted(page);
    await page.locator('.cm-lintRange-error').waitFor({ state: 'detached' });
    assert.match(await page.locator('.cm-content').innerText(), /WHERE status = 'completed'/);
  }],

  ['what was said of an earlier text is greyed until the next verdict is there', async (browser, password) => {
    const page = await browser.page();
    await browser.signIn(page, 'ann', password);
    await write(page, 'SELECT COUNT(*) FROM trip');
    const fix = page.locator('.fix', { hasText: 'trips' });
    await fix.waitFor();
    let go;
    const held = new Promise((done) => (go = done));
    await page.route('**/v1/explain', async (route) => {
      await held;
      await route.continue();
    });
    await page.keyboard.press('Control+Home');
    await page.keyboard.insertText('/* all */ ');
    await page.locator('.verdict.bad.outdated').waitFor();
    const clicked = await fix.click({ timeout: 500 }).then(() => true, () => false);
    assert.ok(!clicked, 'a hint for another text can be applied');
    await browser.look(page, 'verdict-awaited');
    go();
    await page.locator('.verdict.bad:not(.outdated)').waitFor();
    await fix.click();
    await accepted(page);
    assert.equal(await page.locator('.cm-content').innerText(), '/* all */ SELECT COUNT(*) FROM trips');
  }],

  ['completion knows the tables of the policy', async (browser, password) => {
    const page = await browser.page();
    await browser.signIn(page, 'ann', password);
    await write(page, 'SELECT COUNT(*) FROM ');
    await page.keyboard.type('dri');
    await page.locator('.cm-tooltip-autocomplete').getByText('drivers').waitFor();
    await browser.look(page, 'completion');
    await page.keyboard.press('Tab');
    assert.match(await page.locator('.cm-content').innerText(), /FROM drivers/);
  }],

  ['a larger epsilon costs more and errs less, before anything is asked', async (browser, password) => {
    const page = await browser.page();
    await browser.signIn(page, 'ann', password);
    await write(page, 'SELECT COUNT(*) AS n FROM trips');
    await accepted(page);
    const error = async () => Number((await page.locator('.errors strong').innerText()).replace(/[^\d.]/g, ''));
    const before = await error();
    await page.locator('#epsilon-slider').focus();
    for (let i = 0; i < 10; i++) await page.keyboard.press('ArrowRight');
    await page.waitForFunction((old) => Number(document.querySelector('.errors strong')?.textContent.replace(/[^\d.]/g, '')) < old / 2, before);
    await accepted(page);
    await page.locator('.ask-price', { hasText: 'for ε 0.3' }).waitFor();
  }],

  ['a count is answered with its error', async (browser, password) => {
    const page = await browser.page();
    await browser.signIn(page, 'ann', password);
    await ask(page, "SELECT COUNT(*) AS done FROM trips WHERE status = 'completed'");
    await page.locator('.figure-value').waitFor();
    assert.match(await page.locator('.figure-error').innerText(), /^± /);
    assert.match(await page.locator('.answer .badges').innerText(), /Cost ε 0\.1/);
    await browser.look(page, 'answer-one-number');
    await page.getByRole('button', { name: 'Examples' }).click();
    await browser.look(page, 'examples');
    await page.getByRole('dialog').getByText('Which <em>drivers</em> exist?').click();
    await page.getByText('To an earlier question:').waitFor();
    await page.locator('.verdict.bad').waitFor();
    await browser.look(page, 'answer-to-earlier');
    await page.getByRole('button', { name: /COUNT\(\*\) AS done/ }).click();
    await page.getByText('asked before, so the same answer is given again').waitFor();
    assert.ok(await page.locator('.earlier').isHidden());
  }],

  ['a histogram is a chart with error bars, a table and a file', async (browser, password) => {
    const page = await browser.page();
    await browser.signIn(page, 'ann', password);
    await ask(page, PAYMENTS);
    await page.locator('.chart .whisker').first().waitFor();
    assert.equal(await page.locator('.chart .whisker').count(), 4);
    const chart = page.getByRole('img', { name: /trips by payment/ });
    assert.match(await chart.locator('desc').textContent(), /Highest, card: .*95 % between/);
    await browser.look(page, 'answer-chart', { full: true });
    await page.getByRole('tab', { name: 'Table' }).click();
    await page.getByRole('columnheader', { name: 'payment' }).waitFor();
    assert.equal(await page.locator('.grid tbody tr').count(), 4);
    await browser.look(page, 'answer-table', { full: true });
    const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'CSV' }).click()]);
    const lines = fs.readFileSync(await file.path(), 'utf8').split('\r\n');
    assert.equal(lines[0], 'payment,trips,trips_low,trips_high');
    assert.equal(lines.length, 6);
  }],

  ['months and weeks are drawn along time', async (browser, password) => {
    const page = await browser.page();
    await browser.signIn(page, 'ann', password);
    await ask(page, "SELECT DATE_TRUNC('month', requested_at) AS month, COUNT(*) AS trips FROM trips GROUP BY 1 ORDER BY 1");
    await page.locator('.chart .axis-label').first().waitFor();
    assert.match(await page.locator('.chart .axis-label').first().textContent(), /^[A-Z][a-z]{2,3} 20\d\d$/);
    assert.ok((await page.locator('.chart rect.bar').count()) > 3 || (await page.locator('.chart .band').count()) === 1);
    assert.equal(await page.locator('.chart text', { hasText: 'NULL' }).count(), 0);
    await browser.look(page, 'answer-months', { full: true });
    await ask(page, "SELECT DATE_TRUNC('week', requested_at) AS start, COUNT(*) AS trips FROM trips GROUP BY 1 ORDER BY 1");
    await page.getByRole('img', { name: 'trips by start (weeks)' }).waitFor();
    await page.locator('.chart .band').waitFor();
    await browser.look(page, 'answer-weeks', { full: true });
  }],

  ['the same question again is free, and history says so', async (browser, password) => {
    const page = await browser.page();
    await browser.signIn(page, 'ann', password);
    await ask(page, PAYMENTS);
    const left = await page.locator('.budget-chip').innerText();
    await write(page, PAYMENTS);
    await page.getByText('asked before, so the same answer is given again').waitFor();
    assert.equal(await page.locator('.ask-price').innerText(), 'free');
    await page.getByRole('button', { name: 'Ask', exact: true }).click();
    await page.locator('.badge.good', { hasText: 'Free' }).waitFor();
    assert.equal(await page.locator('.budget-chip').innerText(), left);
    await page.getByRole('link', { name: 'History' }).click();
    await page.locator('.badge.good', { hasText: 'free repeat' }).first().waitFor();
    await browser.look(page, 'history');
    await page.locator('.asked-sql').first().click();
    await accepted(page);
    assert.match(await page.locator('.cm-content').innerText(), /GROUP BY payment/);
  }],

  ['parameters have fields of their own, and their values go along with links and saved questions', async (browser, password) => {
    const page = await browser.page();
    await browser.signIn(page, 'ann', password);
    await write(page, "SELECT COUNT(*) AS n FROM trips WHERE status = :status AND fare > :least AND payment <> ':none'");
    await page.getByText('Give a value for :status, :least, or choose NULL.').waitFor();
    assert.equal(await page.locator('.value').count(), 2);
    await page.getByLabel(':status', { exact: true }).fill('completed');
    await page.getByLabel(':least', { exact: true }).fill('lots');
    await page.locator('.verdict.bad').waitFor();
    await page.getByLabel(':least', { exact: true }).fill('12.5');
    await accepted(page);
    await browser.look(page, 'parameters');
    await page.getByRole('button', { name: 'Ask', exact: true }).click();
    await page.locator('.figure-value').waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.keyboard.press('Enter');
    await write(page, PAYMENTS);
    await accepted(page);
    assert.ok(await page.locator('.values').isHidden());
    await page.getByRole('link', { name: 'Saved' }).click();
    await page.locator('.asked-sql').click();
    await accepted(page);
    assert.equal(await page.getByLabel(':least', { exact: true }).inputValue(), '12.5');
    await page.getByText('asked before, so the same answer is given again').waitFor();
    await page.getByLabel(':status is NULL').check();
    await page.locator('.ask-price', { hasText: 'for ε' }).waitFor();
    assert.ok(await page.getByLabel(':status', { exact: true }).isDisabled());
  }],

  ['labels of one\'s own stand for those that the policy does not list', async (browser, password) => {
    const page = await browser.page();
    await browser.signIn(page, 'ann', password);
    await write(page, 'SELECT referrer_id, COUNT(*) AS users FROM users GROUP BY referrer_id');
    await page.locator('.more summary').click();
    const labels = page.getByLabel('Labels of your own');
    await labels.fill('referrer_id\n1\n2,3');
    await page.getByText('Line 3 of the labels has 2 fields instead of 1.').waitFor();
    await labels.fill('referrer_id\n1\n2\n3\n');
    await page.getByText('with 3 labels of your own').waitFor();
    await accepted(page);
    await browser.look(page, 'labels');
    await page.locator('.more summary').click();
    await page.getByRole('button', { name: 'Ask', exact: true }).click();
    await page.locator('.answer .badges').waitFor();
    await page.getByRole('tab', { name: 'Table' }).click();
    assert.equal(await page.locator('.grid tbody tr').count(), 3);
  }],

  ['a question is saved, and found again', async (browser, password) => {
    const page = await browser.page();
    await browser.signIn(page, 'ann', password);
    await page.getByRole('link', { name: 'Saved' }).click();
    await page.getByText('Nothing saved yet').waitFor();
    await browser.look(page, 'saved-empty');
    await page.getByRole('link', { name: 'Ask', exact: true }).click();
    await write(page, PAYMENTS);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByLabel('Title').fill('How people <b>pay</b>');
    await browser.look(page, 'save');
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'Saved' }).click();
    await browser.look(page, 'saved');
    await page.getByText('How people <b>pay</b>').click();
    await accepted(page);
    await page.getByRole('link', { name: 'Saved' }).click();
    await page.getByRole('button', { name: 'Remove How people <b>pay</b>' }).click();
    await page.getByText('Nothing saved yet').waitFor();
  }],

  ['a link opens a question for somebody else and asks nothing', async (browser, password) => {
    const context = await browser.context({ permissions: ['clipboard-read', 'clipboard-write'] });
    const page = await context.newPage();
    await browser.signIn(page, 'ann', password);
    await write(page, PAYMENTS);
    await page.getByRole('button', { name: 'Link' }).click();
    await page.getByText('Link copied').waitFor();
    const link = await page.evaluate(() => navigator.clipboard.readText());
    const other = await browser.page();
    await browser.signIn(other, 'ben', password, link.slice(link.indexOf('#')));
    await accepted(other);
    assert.match(await other.locator('.cm-content').innerText(), /GROUP BY payment/);
    assert.equal(await other.locator('.answer .badges').count(), 0);
    await other.getByRole('link', { name: 'History' }).click();
    await other.getByText('Nothing asked yet').waitFor();
    await browser.look(other, 'history-empty');
  }],

  ['what the budget is and what is left', async (browser, password) => {
    const page = await browser.page();
    await browser.signIn(page, 'ann', password);
    await page.getByRole('link', { name: 'Budget', exact: true }).click();
    await page.getByRole('meter', { name: 'ε spent on trips' }).waitFor();
    await browser.look(page, 'budget');
  }],

  ['a watch is armed, looks once in its period, and is closed', async (browser, password) => {
    browser.allowed.add('400').add('422');
    const page = await browser.page();
    await browser.signIn(page, 'ben', password);
    await write(page, 'SELECT COUNT(*) AS n FROM trips');
    await page.getByRole('link', { name: 'Watches' }).click();
    await page.getByText('No watches').waitFor();
    await browser.look(page, 'watches-empty');
    await page.getByRole('button', { name: 'Arm a watch' }).click();
    assert.equal(await page.getByLabel('One COUNT').inputValue(), 'SELECT COUNT(*) AS n FROM trips');
    await page.getByLabel('Name').fill('<b>rise</b>');
    await page.getByLabel('Above').fill('100');
    await page.getByLabel('ε, charged').fill('0.2');
    await page.getByRole('button', { name: 'Arm', exact: true }).click();
    await page.getByRole('dialog').getByText('BAD_REQUEST').waitFor();
    await page.getByLabel('Name').fill('rise');
    await page.getByLabel('One COUNT').fill('SELECT status FROM trips');
    await page.getByRole('button', { name: 'Arm', exact: true }).click();
    await page.getByRole('dialog').getByText('RAW_ROWS').waitFor();
    await browser.look(page, 'watch-refused');
    await page.getByLabel('One COUNT').fill('SELECT COUNT(*) AS n FROM trips');
    await page.getByRole('button', { name: 'Arm', exact: true }).click();
    const watch = page.locator('.asked', { hasText: 'rise' });
    // The server lets watches look by itself, too, and may have been first.
    await watch.getByText(/^(armed|closed)$/).waitFor();
    await browser.look(page, 'watches');
    await page.getByRole('button', { name: 'Look now' }).click();
    await watch.getByText('above', { exact: true }).waitFor();
    await watch.getByText(/by about/).waitFor();
    await watch.getByText('closed', { exact: true }).waitFor();
    await browser.look(page, 'watch-hit');
    await page.getByRole('button', { name: 'Arm a watch' }).click();
    await page.getByLabel('Name').fill('never');
    await page.getByLabel('Above').fill('100000');
    await page.getByLabel('ε, charged').fill('0.2');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Close never' }).click();
    await page.getByRole('button', { name: 'Close the watch' }).click();
    await page.getByText('Closed.').waitFor();
  }],

  ['people are protected where the policy says so', async (browser, password) => {
    const page = await browser.page();
    await browser.signIn(page, 'dora', password, '#/ask?db=rides');
    await page.getByLabel('Database').selectOption('clinic');
    await page.locator('details[data-name=visit]').getByText('doctor, patient').waitFor();
    await page.getByRole('slider').press('Home');
    await write(page, 'SELECT COUNT(*) AS patients FROM patient');
    await page.locator('.verdict-warning', { hasText: 'patients: it will be noise' }).waitFor();
    await browser.look(page, 'will-be-noise', { full: true });
    await page.getByRole('slider').press('End');
    await page.locator('.verdict-warning').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'default' }).click();
    await ask(page, 'SELECT COUNT(*) AS patients FROM patient');
    await page.locator('.figure-error').waitFor();
    await ask(page, 'SELECT COUNT(*) AS visits FROM visit');
    await page.locator('.answer .notes').waitFor();
    if ((await page.locator('.figure-error').count()) === 0) await page.getByText('Without an error bar').waitFor();
    await browser.look(page, 'people', { full: true });
  }],

  ['signing out ends the session', async (browser, password) => {
    const page = await browser.page();
    await browser.signIn(page, 'ann', password);
    await page.getByRole('button', { name: 'Sign out ann' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  }],
];
