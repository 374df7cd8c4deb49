import { Clock } from 'lucide-react';
import { texts } from '../../platform/texts.ts';
import { Badge } from '../../ui/Badge.tsx';
import type { Feature } from './features.ts';

export function FeatureCard({ name, icon: Icon, comingSoon }: Feature) {
  const { title, text } = texts.landing.features[name];
  return (
    <li>
      <span className="inline-flex size-10 items-center justify-center rounded-card border border-line bg-surface text-ink-2">
        <Icon aria-hidden="true" className="size-5" />
      </span>
      <div className="mt-4 flex flex-wrap items-center gap-x-3 gap-y-1.5">
        <h3 className="text-body font-semibold">{title}</h3>
        {comingSoon && <Badge icon={<Clock aria-hidden="true" />}>{texts.landing.comingSoon}</Badge>}
      </div>
      <p className="mt-1.5 text-ui text-ink-2">{text}</p>
    </li>
  );
}
