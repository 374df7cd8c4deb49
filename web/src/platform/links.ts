/**
 * Lets plain `<a href>` inside the app change the page without a reload. So components need no router and can be drawn on
 * the server, where the same links work without JavaScript. What is not the app's own page is the server's.
 */
export function followInternalLinks(go: (href: string) => void, isOurs: (path: string) => boolean): void {
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
    if (!isOurs(link.pathname)) return;
    const samePage = link.pathname === location.pathname && link.search === location.search;
    if (samePage && link.hash) return;
    event.preventDefault();
    go(link.pathname + link.search + link.hash);
  });
}
