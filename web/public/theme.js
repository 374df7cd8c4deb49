// Runs before the first paint, so that the chosen theme does not flash. The choice is stored by src/platform/theme.ts.
try {
  // Hides 'Sign In' from a signed-in user until the page is hydrated.
  if (localStorage.getItem('token')) document.documentElement.dataset.token = '';
  // A public page that is not in the chosen language is opened in it. Others have no such list, and load their texts themselves.
  const { lang, dataset } = document.documentElement;
  // A language that is clicked before the page is hydrated is kept too.
  addEventListener('click', ({ target }) => {
    const link = target.closest('a[hreflang]');
    if (link) localStorage.setItem('language', link.hreflang);
  });
  const language = localStorage.getItem('language');
  const url = new URL(location.href);
  if (
    language &&
    language !== lang &&
    dataset.languages?.split(' ').includes(language) &&
    !url.searchParams.has('lang')
  ) {
    url.searchParams.set('lang', language);
    location.replace(url);
  }
  const theme = localStorage.getItem('theme');
  if (theme === 'light' || theme === 'dark') {
    document.documentElement.dataset.theme = theme;
    for (const meta of document.querySelectorAll('meta[name="theme-color"]'))
      meta.content = theme === 'dark' ? '#0A0D13' : '#F7F8FA';
  }
  const asksForContrast = matchMedia('(prefers-contrast: more)').matches;
  if (asksForContrast || localStorage.getItem('contrast') === 'more')
    document.documentElement.dataset.contrast = 'more';
} catch {
  // Storage may be blocked: keep the system theme.
}
