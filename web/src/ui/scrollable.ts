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

/** A ref callback for a row that scrolls sideways: says at which ends more is hidden, so that these fade. `fading-ends` */
export function tellHiddenEnds(row: HTMLElement | null) {
  if (!row) return;
  const tell = () => {
    const left = row.scrollWidth - row.clientWidth - row.scrollLeft;
    row.toggleAttribute('data-before', row.scrollLeft > 1);
    row.toggleAttribute('data-after', left > 1);
  };
  tell();
  row.addEventListener('scroll', tell, { passive: true });
  const sizes = new ResizeObserver(tell);
  for (const sized of [row, ...row.children]) sizes.observe(sized);
  return () => {
    row.removeEventListener('scroll', tell);
    sizes.disconnect();
  };
}
