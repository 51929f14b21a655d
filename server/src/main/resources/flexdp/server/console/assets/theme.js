// Before anything is painted: the theme that was chosen here, or the system's.
(() => {
  let chosen = null;
  try {
    chosen = localStorage.getItem('flexdp.theme');
  } catch {
    // Storage may be switched off; then the system decides.
  }
  if (chosen === 'light' || chosen === 'dark') {
    document.documentElement.dataset.theme = chosen;
  }
})();
