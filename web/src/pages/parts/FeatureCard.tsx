import type { ComponentType } from 'react';
import { texts } from '../../platform/texts.ts';
import type { Feature } from './features.ts';
import type { PictureName } from './picture.ts';

/** A tile that shows its feature at work. */
export function FeatureCard({ name, Picture }: { name: Feature; Picture: ComponentType<{ name: PictureName }> }) {
  const { title, text } = texts.landing.features[name];
  return (
    <li className={`landing-tile landing-tile-${name}`}>
      <div aria-hidden="true" inert className="landing-tile-picture">
        <Picture name={name} />
      </div>
      <div className="mt-auto p-6 pt-5 md:min-h-36 lg:min-h-40">
        <h3 className="text-section font-semibold">{title}</h3>
        <p className="mt-1.5 text-ui text-ink-2">{text}</p>
      </div>
    </li>
  );
}
