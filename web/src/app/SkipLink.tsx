import { texts } from '../platform/texts.ts';

export function SkipLink() {
  return (
    <a
      href="#main"
      className="sr-only z-60 rounded-control bg-brand px-4 py-3 text-ui font-medium text-on-brand focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
    >
      {texts.frame.skip}
    </a>
  );
}
