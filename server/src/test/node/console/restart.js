// A server that is restarted under an open page. node restart.js URL FOLDER-FOR-PICTURES PASSWORD
// Says "stop" and "start" when the server should, and goes on when it hears a line.
const assert = require('node:assert');
const readline = require('node:readline');
const { Browser, accepted, ask, write } = require('./browser.js');

const heard = readline.createInterface({ input: process.stdin })[Symbol.asyncIterator]();

async function say(word) {
  console.log(word);
  await heard.next();
}

async function main() {
  const [url, shots, password] = process.argv.slice(2);
  const browser = await Browser.launch(url, shots);
  browser.allowed.add('401');
  browser.offline = true;
  try {
    const page = await browser.page();
    await browser.signIn(page, 'ann', password);
    await ask(page, 'SELECT COUNT(*) AS n FROM users');
    const answer = await page.locator('.figure-value').innerText();
    await say('stop');
    await write(page, "SELECT COUNT(*) AS n FROM trips WHERE status = 'completed'");
    await page.getByText('The server does not answer.').waitFor();
    await page.getByText('Nothing that you typed is lost').waitFor();
    assert.equal(await page.locator('.figure-value').innerText(), answer, 'the answer stays');
    await say('start');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { name: 'Sign in again' }).waitFor();
    await browser.look(page, 'server-restarted');
    await page.getByRole('dialog').getByLabel('Password').fill(password);
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await accepted(page);
    assert.match(await page.locator('.cm-content').innerText(), /FROM trips WHERE status/);
    assert.equal(await page.locator('.figure-value').innerText(), answer, 'the answer stays');
    await page.getByRole('button', { name: 'Ask', exact: true }).click();
    await page.locator('.answer .badges').waitFor();
    await page.getByRole('link', { name: 'History' }).click();
    await page.locator('.asked', { hasText: 'FROM users' }).waitFor();
    await page.locator('.asked', { hasText: 'FROM trips' }).waitFor();
    assert.deepEqual(browser.wrong, []);
    console.log('done');
  } finally {
    await browser.close();
  }
}

main().then(() => process.exit(0), (e) => {
  console.log(`failed ${JSON.stringify(String(e.stack ?? e))}`);
  process.exit(1);
});
