// What this browser keeps for a user: the draft while the tab is open, and saved questions.

function read(storage, key, otherwise) {
  try {
    return JSON.parse(storage.getItem(key)) ?? otherwise;
  } catch {
    return otherwise;
  }
}

function write(storage, key, value) {
  try {
    storage.setItem(key, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}

const key = (kind, user, database) => `flexdp.${kind}.${user}.${database}`;

export const draft = (user, database) => read(sessionStorage, key('draft', user, database), null);
export const keepDraft = (user, database, sql) => write(sessionStorage, key('draft', user, database), sql);

/** Saved questions: `{title, sql, epsilon, at}`, newest first. */
export function saved(user, database) {
  const all = read(localStorage, key('saved', user, database), []);
  return Array.isArray(all) ? all.filter((q) => typeof q?.sql === 'string') : [];
}

export const keepSaved = (user, database, all) => write(localStorage, key('saved', user, database), all);

export function theme(chosen) {
  try {
    if (chosen === undefined) return localStorage.getItem('flexdp.theme');
    localStorage.setItem('flexdp.theme', chosen);
  } catch {
    // Without storage the theme lasts as long as the page.
  }
  return chosen;
}
