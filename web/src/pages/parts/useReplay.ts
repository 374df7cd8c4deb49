import { useEffect, useRef } from 'react';

/**
 * Marks an element with `data-away` while it is out of view, where styles stop its animations: they run only before the viewer's eyes,
 * and once for each time that it comes into view.
 */
export function useReplay() {
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const target = element.current;
    if (!target) return;
    const observer = new IntersectionObserver(([entry]) => target.toggleAttribute('data-away', !entry?.isIntersecting));
    observer.observe(target);
    return () => observer.disconnect();
  }, []);
  return element;
}
