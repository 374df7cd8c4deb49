// Runs before the first paint, so that the chosen theme does not flash. The choice is stored by src/platform/theme.ts.
try {
  // Hides 'Sign In' from a signed-in user until the page is hydrated.
  if (localStorage.getItem('token')) document.documentElement.dataset.token = '';
  const theme = localStorage.getItem('theme');
  if (theme === 'light' || theme === 'dark') {
    document.documentElement.dataset.theme = theme;
    for (const meta of document.querySelectorAll('meta[name="theme-color"]'))
      meta.content = theme === 'dark' ? '#0A0D13' : '#F7F8FA';
  }
} catch {
  // Storage may be blocked: keep the system theme.
}
