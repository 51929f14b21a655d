// What goes wrong: budgets end, sessions end, servers go, values are hostile, answers are long.
const assert = require('node:assert');
const http = require('node:http');
const { PATIENCE, accepted, ask, write } = require('./browser.js');

const SLOW = 'SELECT COUNT(*) AS n FROM trips CROSS JOIN cities a CROSS JOIN cities b CROSS JOIN cities c CROSS JOIN cities d CROSS JOIN cities e';

async function spend(page, epsilon) {
  await page.getByLabel('ε, exactly').fill(String(epsilon));
  await page.keyboard.press('Enter');
}

module.exports = [
  ['a used-up budget is said plainly, and the owner can grant more', async (browser, password) => {
    browser.allowed.add('403');
    const page = await browser.page();
    await browser.signIn(page, 'ann', password);
    await spend(page, 9);
    await ask(page, 'SELECT COUNT(*) AS n FROM drivers');
    await spend(page, 3);
    await write(page, "SELECT COUNT(*) AS n FROM drivers WHERE vehicle = 'car'");
    await accepted(page);
    await page.getByText('Not enough for this question.').waitFor();
    await page.getByRole('button', { name: 'Ask', exact: true }).click();
    await page.locator('.answer').getByText('BUDGET_EXHAUSTED').waitFor();
    await browser.look(page, 'budget-used-up', { full: true });

    const owner = await browser.page();
    await browser.signIn(owner, 'owner', password, '#/ask?db=rides');
    await owner.getByRole('link', { name: 'Budgets' }).click();
    await owner.getByRole('button', { name: 'Grant more to drivers' }).click();
    await owner.getByLabel('ε to add').fill('5');
    await owner.getByLabel('Why').fill('the fleet <i>report</i>');
    await browser.look(owner, 'owner-grant');
    await owner.getByRole('button', { name: 'Grant', exact: true }).click();
    await owner.getByText('Granted ε 5 to drivers.').waitFor();
    await owner.getByRole('listitem').filter({ has: owner.getByRole('heading', { name: 'drivers' }) }).getByText('left of 15').waitFor();
    await browser.look(owner, 'owner-budgets');

    await page.getByRole('button', { name: 'Ask', exact: true }).click();
    await page.locator('.answer .figure-value').waitFor();
  }],

  ['a question is given up by whoever asked it', async (browser, password) => {
    browser.allowed.add('409');
    const page = await browser.page();
    await browser.signIn(page, 'ben', password);
    await write(page, SLOW);
    await accepted(page);
    await page.keyboard.press('Control+Enter');
    await page.locator('.answer .spinner').waitFor();
    await browser.look(page, 'asking');
    await page.getByRole('button', { name: 'Cancel', exact: true }).click();
    await page.locator('.answer').getByText('CANCELLED', { exact: true }).waitFor();
    await browser.look(page, 'cancelled');
  }],

  ['an owner sees what is running and cancels it', async (browser, password) => {
    browser.allowed.add('409');
    const page = await browser.page();
    await browser.signIn(page, 'ben', password);
    await write(page, SLOW);
    await accepted(page);
    await page.keyboard.press('Control+Enter');
    const owner = await browser.page();
    await browser.signIn(owner, 'owner', password, '#/owner/live');
    await owner.getByRole('button', { name: 'Cancel the question of ben' }).waitFor();
    await browser.look(owner, 'owner-live');
    await owner.getByRole('button', { name: 'Cancel the question of ben' }).click();
    await owner.getByText('Nothing is running').waitFor();
    await browser.look(owner, 'owner-live-empty');
    await page.locator('.answer').getByText('CANCELLED', { exact: true }).waitFor();
  }],

  ['a browser that is closed in the middle leaves the question on record', async (browser, password) => {
    const page = await browser.page();
    await browser.signIn(page, 'dora', password, '#/ask?db=rides');
    await write(page, SLOW);
    await accepted(page);
    await page.keyboard.press('Control+Enter');
    await page.locator('.answer .spinner').waitFor();
    await page.context().close();
    const owner = await browser.page();
    await browser.signIn(owner, 'owner', password, '#/owner/live?db=rides');
    await owner.getByRole('button', { name: 'Cancel the question of dora' }).click();
    await owner.getByText('Nothing is running').waitFor();
    const again = await browser.page();
    await browser.signIn(again, 'dora', password, '#/history?db=rides');
    await again.locator('.asked', { hasText: 'CROSS JOIN' }).getByText('ε 0.1').waitFor();
    await browser.look(again, 'history-after-closing');
  }],

  ['a session that ends under the page loses nothing', async (browser, password) => {
    browser.allowed.add('401');
    const page = await browser.page();
    await browser.signIn(page, 'ann', password);
    await write(page, 'SELECT COUNT(*) AS n FROM users');
    await accepted(page);
    await page.context().clearCookies();
    await page.getByRole('button', { name: 'Ask', exact: true }).click();
    await page.getByRole('heading', { name: 'Sign in again' }).waitFor();
    await browser.look(page, 'sign-in-again');
    await page.getByRole('dialog').getByLabel('Password').fill(password);
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await accepted(page);
    assert.match(await page.locator('.cm-content').innerText(), /FROM users/);
    await page.getByRole('button', { name: 'Ask', exact: true }).click();
    await page.locator('.answer .figure-value').waitFor();
  }],

  ['a server that is gone is said, and typing goes on', async (browser, password) => {
    browser.offline = true;
    const page = await browser.page();
    await browser.signIn(page, 'ann', password);
    await page.context().setOffline(true);
    await write(page, 'SELECT COUNT(*) AS n FROM users');
    await page.getByText('The server does not answer.').waitFor();
    await browser.look(page, 'server-gone');
    await page.context().setOffline(false);
    await page.getByRole('button', { name: 'Try again' }).click();
    await accepted(page);
  }],

  ['names, labels, values and errors are text, never HTML', async (browser, password) => {
    const page = await browser.page();
    await browser.signIn(page, 'mallory', password);
    await page.locator('.table-name', { hasText: '<img src=x onerror=alert(1)>' }).waitFor();
    await write(page, 'SELECT "<script>alert(2)</script>" AS "<svg onload=alert(3)>", COUNT(*) AS n FROM "<img src=x onerror=alert(1)>" GROUP BY 1');
    await accepted(page);
    await page.getByRole('button', { name: 'Ask', exact: true }).click();
    await page.locator('.chart text.label', { hasText: '<b onmouse' }).waitFor();
    await browser.look(page, 'hostile-names', { full: true });
    await page.getByRole('tab', { name: 'Table' }).click();
    await page.getByRole('columnheader', { name: '<svg onload=alert(3)>' }).waitFor();
    await write(page, 'SELECT COUNT(*) FROM "</div><script>alert(5)</script>"');
    await page.locator('.verdict.bad').waitFor();
    await page.goto(`${browser.url}#/ask?q=${encodeURIComponent('<script>alert(6)</script>')}&e=javascript:alert(7)`);
    await page.locator('.verdict.bad').waitFor();
    for (const hash of ['#/history', '#/budget', '#/<script>alert(8)</script>']) {
      await page.goto(browser.url + hash);
      await page.locator('main h1').waitFor();
    }
    assert.equal(await page.evaluate(() => document.querySelectorAll('#app script, #app iframe, #app b, #app svg[onload], #app img:not([src="assets/icon.svg"])').length), 0);
  }],

  ['a page of another server on this machine asks nothing in the visitor\'s name', async (browser, password) => {
    const context = await browser.chrome.newContext();
    context.setDefaultTimeout(PATIENCE);
    const page = await context.newPage();
    await browser.signIn(page, 'ben', password);
    const foreign = http.createServer((request, response) => response.setHeader('Content-Type', 'text/html').end('<title>foreign</title>'));
    await new Promise((done) => foreign.listen(0, '127.0.0.1', done));
    const calls = async () => Number(/POST",route="\/v1\/ask"\} (\d+)/.exec(await (await fetch(`${browser.url}metrics`)).text())?.[1] ?? 0);
    const before = await calls();
    try {
      const other = await context.newPage();
      await other.goto(`http://127.0.0.1:${foreign.address().port}/`);
      const read = await other.evaluate(async (url) => {
        const question = JSON.stringify({ sql: 'SELECT COUNT(*) AS stolen FROM users' });
        const ways = [
          () => fetch(`${url}v1/ask`, { method: 'POST', mode: 'no-cors', credentials: 'include', body: question }),
          () => fetch(`${url}v1/ask`, { method: 'POST', credentials: 'include', headers: { 'Content-Type': 'application/json' }, body: question }),
          () => fetch(`${url}v1/session`, { credentials: 'include' }),
          () => fetch(`${url}v1/history`, { mode: 'no-cors', credentials: 'include' }),
        ];
        let texts = '';
        for (const way of ways) texts += await way().then((r) => r.text()).catch(() => '');
        navigator.sendBeacon(`${url}v1/ask`, question);
        return texts;
      }, browser.url);
      assert.equal(read, '', 'another page reads nothing');
      assert.ok((await calls()) > before, 'the server was reached, and refused');
    } finally {
      foreign.close();
    }
    await page.getByRole('link', { name: 'History' }).click();
    await page.locator('main h1').waitFor();
    await page.locator('.loading').waitFor({ state: 'detached' });
    assert.equal(await page.getByText('AS stolen').count(), 0, 'nothing was asked');
  }],

  ['ten tabs of one person work side by side', async (browser, password) => {
    const context = await browser.context();
    const first = await context.newPage();
    await browser.signIn(first, 'ann', password);
    const tabs = await Promise.all(Array.from({ length: 9 }, () => context.newPage()));
    await Promise.all(tabs.map(async (page, i) => {
      await page.goto(`${browser.url}#/ask?q=${encodeURIComponent(`SELECT COUNT(*) AS n FROM users WHERE id > ${i}`)}`);
      await accepted(page);
    }));
  }],

  ['the page is small', async (browser, password) => {
    const context = await browser.context();
    const page = await context.newPage();
    await browser.signIn(page, 'ann', password);
    await page.close();
    const again = await context.newPage();
    const wire = await context.newCDPSession(again);
    await wire.send('Network.enable');
    await wire.send('Network.setCacheDisabled', { cacheDisabled: true });
    let bytes = 0;
    wire.on('Network.loadingFinished', (e) => (bytes += e.encodedDataLength));
    const times = [];
    for (let i = 0; i < 3; i++) {
      bytes = 0;
      const begun = Date.now();
      await again.goto(browser.url, { waitUntil: 'commit' });
      await again.locator('.cm-content').waitFor();
      times.push(Date.now() - begun);
      await again.goto('about:blank');
    }
    console.error(`usable after ${times.join(', ')} ms, ${Math.round(bytes / 1000)} kB`);
    assert.ok(bytes < 500_000, `${bytes} bytes`);
  }],
];
