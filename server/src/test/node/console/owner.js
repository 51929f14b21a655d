// What an owner does.
const assert = require('node:assert');
const { accepted, ask, write } = require('./browser.js');

async function open(browser, password, name) {
  const page = await browser.page();
  await browser.signIn(page, 'owner', password, `#/owner/${name}?db=rides`);
  return page;
}

module.exports = [
  ['an owner explains a question with its private values', async (browser, password) => {
    const page = await open(browser, password, 'explain');
    const editor = page.getByRole('textbox', { name: 'SQL to explain' });
    await editor.click();
    await page.keyboard.press('Control+a');
    await page.keyboard.insertText('SELECT COUNT(*) AS n FROM trips t JOIN drivers d ON t.driver_id = d.id');
    await page.getByRole('button', { name: 'Explain' }).click();
    await page.locator('.rule-tree li li').first().waitFor();
    await browser.look(page, 'owner-explain', { full: true });
    await editor.click();
    await page.keyboard.press('Control+a');
    await page.keyboard.insertText('SELECT nothing FROM nowhere');
    await page.keyboard.press('Control+Enter');
    await page.getByRole('alert').getByText('UNKNOWN_TABLE').waitFor();
  }],

  ['an owner sees how fresh the metrics are', async (browser, password) => {
    const page = await open(browser, password, 'metrics');
    await page.getByRole('heading', { name: 'trips' }).waitFor();
    await page.getByText(/Measured (just now|\d+ \w+ ago)/).first().waitFor();
    await browser.look(page, 'owner-metrics', { full: true });
  }],

  ['an owner sees who owns what', async (browser, password) => {
    const page = await browser.page();
    await browser.signIn(page, 'owner', password, '#/owner/metrics?db=clinic');
    await page.getByRole('img', { name: /visit belongs to doctor and patient/ }).waitFor();
    await browser.look(page, 'owner-who-owns-what', { full: true });
  }],

  ['an owner reads the audit', async (browser, password) => {
    const analyst = await browser.page();
    await browser.signIn(analyst, 'ann', password);
    await ask(analyst, 'SELECT COUNT(*) AS audited FROM users');
    const page = await open(browser, password, 'audit');
    await page.getByRole('heading', { name: 'The ledger' }).waitFor();
    await page.getByText(/COUNT\(\*\) AS audited/).first().waitFor();
    await browser.look(page, 'owner-audit');
  }],

  ['an owner adds a user, makes a token, and removes both', async (browser, password) => {
    browser.allowed.add('401');
    const page = await open(browser, password, 'users');
    await page.getByRole('button', { name: 'Add a user' }).click();
    await page.getByLabel('Name').fill('cy');
    await browser.look(page, 'owner-add-user');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    const secret = await page.locator('.secret').innerText();
    await page.getByRole('button', { name: 'Close' }).click();
    const cy = await browser.page();
    await browser.signIn(cy, 'cy', secret);
    await page.getByRole('button', { name: 'New token for cy' }).click();
    await page.getByRole('button', { name: 'Create' }).click();
    const token = await page.locator('.secret').innerText();
    await browser.look(page, 'owner-token');
    await page.getByRole('button', { name: 'Close' }).click();
    await browser.look(page, 'owner-users');
    const guest = await browser.page();
    await browser.signIn(guest, 'cy', token, '#/ask?db=rides');
    await write(guest, 'SELECT COUNT(*) AS n FROM users');
    await accepted(guest);
    await page.getByRole('button', { name: 'Revoke token notebook of cy' }).click();
    await page.getByRole('button', { name: 'Revoke', exact: true }).click();
    await page.getByText('Revoked.').waitFor();
    await guest.getByRole('button', { name: 'Ask', exact: true }).click();
    await guest.getByRole('heading', { name: 'Sign in again' }).waitFor();
    await browser.look(guest, 'token-revoked');
    assert.match(await guest.locator('.cm-content').innerText(), /FROM users/, 'what was typed stays');
    assert.equal(await guest.locator('.figure-value').count(), 0, 'nothing is answered');
    await page.getByRole('button', { name: 'Remove cy' }).click();
    await page.getByRole('button', { name: 'Remove', exact: true }).click();
    await page.getByText('Removed.').waitFor();
    await cy.getByRole('link', { name: 'History' }).click();
    await cy.getByRole('heading', { name: 'Sign in again' }).waitFor();
  }],

  ['an analyst finds no owner pages', async (browser, password) => {
    const page = await browser.page();
    await browser.signIn(page, 'ann', password, '#/owner/users');
    await page.getByText('This page is for owners').waitFor();
    await browser.look(page, 'owners-only');
    assert.equal(await page.getByRole('navigation', { name: 'Owner pages' }).count(), 0);
  }],
];
