/**
 * Intercepts clicks on plain `<a href>` links to application pages and navigates without a reload. So components need no router and
 * can be rendered on the server, where the same links work without JavaScript. All other links load from the server.
 */
export function followInternalLinks(navigate: (href: string) => void, isAppPath: (path: string) => boolean): void {
  document.addEventListener('click', (event) => {
    if (
      event.defaultPrevented ||
      event.button !== 0 ||
      event.metaKey ||
      event.ctrlKey ||
      event.shiftKey ||
      event.altKey
    )
      return;
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    if (!link || link.target || link.hasAttribute('download') || link.origin !== location.origin) return;
    if (!isAppPath(link.pathname)) return;
    const samePage = link.pathname === location.pathname && link.search === location.search;
    if (samePage && link.hash) return;
    event.preventDefault();
    navigate(link.pathname + link.search + link.hash);
  });
}
