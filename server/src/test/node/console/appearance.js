// Light, dark, on a telephone, by keyboard alone, with very many rows.
const assert = require('node:assert');
const { accepted, ask } = require('./browser.js');

const BY_CITY = 'SELECT c.name, COUNT(*) AS trips, AVG(t.fare) AS fare FROM trips t JOIN cities c ON t.city_id = c.id GROUP BY c.name ORDER BY trips DESC LIMIT 8';
const LONG = 'SELECT a.id AS a, b.id AS b, c.name AS city FROM cities a CROSS JOIN cities b CROSS JOIN cities c';
const PAGES = ['history', 'saved', 'watches', 'budget'];
const OWNER = ['budgets', 'live', 'explain', 'metrics', 'audit', 'users'];

async function everyPage(browser, password, name, options) {
  const page = await browser.page(options);
  await browser.signIn(page, 'ann', password);
  await ask(page, BY_CITY);
  await page.locator('.chart').waitFor();
  await browser.look(page, `${name}-ask`, { full: true });
  for (const each of PAGES) {
    await page.goto(`${browser.url}#/${each}`);
    await page.locator('main h1').waitFor();
    await page.locator('.loading').waitFor({ state: 'detached' });
    await browser.look(page, `${name}-${each}`);
  }
  const owner = await browser.page(options);
  await browser.signIn(owner, 'owner', password, '#/ask?db=rides');
  for (const each of OWNER) {
    await owner.goto(`${browser.url}#/owner/${each}`);
    await owner.locator('main h1').waitFor();
    await owner.locator('.loading').waitFor({ state: 'detached' });
    await browser.look(owner, `${name}-owner-${each}`);
  }
  return page;
}

module.exports = [
  ['dark on every page', async (browser, password) => {
    await everyPage(browser, password, 'dark', { colorScheme: 'dark' });
  }],

  ['a telephone on every page', async (browser, password) => {
    const page = await everyPage(browser, password, 'phone', { viewport: { width: 375, height: 720 }, hasTouch: true });
    await page.goto(`${browser.url}#/ask`);
    await page.getByRole('button', { name: 'Tables' }).click();
    await page.locator('.schema').waitFor();
    await browser.look(page, 'phone-tables');
  }],

  ['the theme that was chosen stays', async (browser, password) => {
    const page = await browser.page();
    await browser.signIn(page, 'ann', password);
    await page.getByRole('button', { name: 'Dark colours' }).click();
    const dark = await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
    await page.reload();
    await page.getByRole('button', { name: 'Light colours' }).waitFor();
    assert.equal(await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor), dark);
  }],

  ['by keyboard alone, from signing in to the table of the answer', async (browser, password) => {
    const page = await browser.page();
    await page.goto(browser.url);
    await page.getByLabel('Name').waitFor();
    const focused = () => page.evaluate(() => document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent.trim());
    const tabTo = async (name) => {
      for (let i = 0; i < 120; i++) {
        await page.keyboard.press('Tab');
        if ((await focused()) === name) return;
      }
      assert.fail(`Tab never came to ${name}`);
    };
    await page.keyboard.type('ann');
    await page.keyboard.press('Tab');
    await page.keyboard.type(password);
    await page.keyboard.press('Enter');
    await page.locator('.ask-page').waitFor();
    await tabTo('Skip to the page');
    await tabTo('SQL question');
    await page.keyboard.insertText("SELECT status, COUNT(*) AS n FROM trips GROUP BY status");
    await page.keyboard.press('Escape');
    await accepted(page);
    await page.keyboard.press('Control+Enter');
    await page.locator('.chart').waitFor();
    await tabTo('Chart');
    await browser.look(page, 'keyboard-focus', { full: true });
    await page.keyboard.press('ArrowRight');
    await page.locator('.grid').waitFor();
    assert.equal(await focused(), 'Table');
    await page.keyboard.press('Tab');
    assert.match(await focused(), /^Answer, 3 rows/);
    await tabTo('Sign out ann');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  }],
  ['a hundred thousand rows scroll without freezing', async (browser, password) => {
    const page = await browser.page();
    await browser.signIn(page, 'ann', password);
    await ask(page, LONG);
    await page.locator('.answer .badge', { hasText: '125,000 rows' }).waitFor();
    const [rows, slowest] = await page.evaluate(async () => {
      const place = document.querySelector('.grid-scroll');
      let rows = document.querySelectorAll('.grid tbody tr').length;
      let worst = 0;
      let last = performance.now();
      for (let i = 0; i <= 60; i++) {
        place.scrollTop = ((place.scrollHeight - place.clientHeight) * i) / 60;
        await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
        rows = Math.max(rows, document.querySelectorAll('.grid tbody tr').length);
        worst = Math.max(worst, performance.now() - last);
        last = performance.now();
      }
      return [rows, worst];
    });
    console.error(`slowest frame ${Math.round(slowest)} ms`);
    // What it takes depends on the machine, and "make bench" measures it; what it takes it for does not.
    assert.ok(rows < 100, 'only what is seen is in the page');
    await page.locator('.grid tr[aria-rowindex="125001"]').waitFor();
    await browser.look(page, 'answer-long', { full: true });
  }],

];
