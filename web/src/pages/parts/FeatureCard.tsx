import type { ComponentType } from 'react';
import { Clock } from 'lucide-react';
import { Badge } from '../../ui/Badge.tsx';

interface FeatureCardProps {
  title: string;
  text: string;
  icon: ComponentType<{ className?: string; 'aria-hidden'?: 'true' }>;
  comingSoon?: boolean;
}

export function FeatureCard({ title, text, icon: Icon, comingSoon }: FeatureCardProps) {
  return (
    <li>
      <span className="inline-flex size-10 items-center justify-center rounded-card border border-line bg-surface text-ink-2">
        <Icon aria-hidden="true" className="size-5" />
      </span>
      <div className="mt-4 flex flex-wrap items-center gap-x-3 gap-y-1.5">
        <h3 className="text-body font-semibold">{title}</h3>
        {comingSoon && <Badge icon={<Clock aria-hidden="true" />}>Coming soon</Badge>}
      </div>
      <p className="mt-1.5 text-ui text-ink-2">{text}</p>
    </li>
  );
}
