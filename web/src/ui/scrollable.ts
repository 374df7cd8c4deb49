/** A ref for an area that may scroll: while it does, the keyboard can reach it. `<div ref={reachableWhenScrolling}>` */
export function reachableWhenScrolling(area: HTMLElement | null) {
  if (!area) return undefined;
  const look = () => {
    if (area.scrollHeight > area.clientHeight) area.tabIndex = 0;
    else area.removeAttribute('tabindex');
  };
  const observer = new ResizeObserver(look);
  observer.observe(area);
  for (const child of area.children) observer.observe(child);
  return () => observer.disconnect();
}
