import type { Package } from '@waybill/contract';
import { useNow } from '../platform/clock.ts';
import { classes } from '../ui/classes.ts';
import { Scene } from './scene/Scene.tsx';
import { wide } from './scene/geometry.ts';
import { isNight, sceneOfPackage } from './scene/state.ts';

/** The tracker's drawing of where a package is, as high as its room, above its panel. Decorative: the state is in words beside it. */
export function PackageScene({ pkg }: { pkg: Package }) {
  const now = useNow();
  const scene = sceneOfPackage({ ...pkg, failed: pkg.failedAttempt !== null });
  return (
    <div aria-hidden="true" className={`track-${scene.tint} h-full print:hidden`}>
      <div
        className={classes('track-band', now !== null && isNight(new Date(now)) && 'track-night')}
        style={{ height: '100%' }}
      >
        <Scene state={scene} stages={[wide]} />
      </div>
    </div>
  );
}
