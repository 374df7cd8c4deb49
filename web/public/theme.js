// Runs before the first paint, so that a chosen theme does not flash. The choice is kept by src/platform/theme.ts.
try {
  // Whoever is signed in sees no 'Sign In' while the page wakes up.
  if (localStorage.getItem('token')) document.documentElement.dataset.token = '';
  const theme = localStorage.getItem('theme');
  if (theme === 'light' || theme === 'dark') {
    document.documentElement.dataset.theme = theme;
    for (const meta of document.querySelectorAll('meta[name="theme-color"]'))
      meta.content = theme === 'dark' ? '#0A0D13' : '#F7F8FA';
  }
} catch {
  // Storage may be blocked: the system's theme stands.
}
