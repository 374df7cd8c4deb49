/**
 * A ref callback for a scroll container: focusable while its content overflows, so that the keyboard can scroll it.
 * `<div ref={reachableWhenScrolling}>`
 */
export function reachableWhenScrolling(area: HTMLElement | null) {
  if (!area) return undefined;
  const update = () => {
    if (area.scrollHeight > area.clientHeight) area.tabIndex = 0;
    else area.removeAttribute('tabindex');
  };
  const observer = new ResizeObserver(update);
  observer.observe(area);
  for (const child of area.children) observer.observe(child);
  return () => observer.disconnect();
}
