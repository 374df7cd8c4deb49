import type { ReactNode } from 'react';
import { ridge, roadPath, treePaths, type Stage } from './geometry.ts';

interface LandscapeProps {
  stage: Stage;
  sun?: readonly [x: number, y: number];
  rain?: boolean;
  children: ReactNode;
}

/** Sky, hills, trees and the road; the children stand on the road, behind the foreground. */
export function Landscape({ stage, sun: sunAt, rain = false, children }: LandscapeProps) {
  const { width, height, road, sun, stars, clouds, bushes } = stage;
  const [sunX, sunY] = sunAt ?? [sun.x, sun.y];
  const trees = treePaths(stage);
  return (
    <>
      <g className="scene-stars">
        {stars.map(([x, y], index) => (
          <circle key={x} cx={x} cy={y} r={index % 3 === 0 ? 1.2 : 0.8} />
        ))}
      </g>
      <g className="scene-orb">
        <circle cx={sunX} cy={sunY} r={sun.r * 1.62} fill="var(--halo)" className="scene-halo" />
        <circle cx={sunX} cy={sunY} r={sun.r} fill="var(--sun)" className="scene-sun" />
        <path d={crescent(sunX, sunY, sun.r * 0.56)} className="scene-moon" />
      </g>
      <g fill="var(--cloud)" className="scene-clouds">
        {clouds.map(([x, y, scale]) => (
          <path key={x} d={cloud} transform={`translate(${x} ${y}) scale(${scale})`} />
        ))}
      </g>
      {rain && <path d={rainPath(stage)} stroke="var(--cloud)" strokeWidth={1.6} strokeLinecap="round" />}
      <path d={ridge(stage, stage.far)} fill="var(--far)" />
      <path d={ridge(stage, stage.near)} fill="var(--near)" />
      <path d={trees.trunks} fill="var(--fore)" />
      <path d={trees.conifers} fill="var(--tree)" />
      <path d={trees.leaves} fill="var(--tree-2)" />
      <path d={`${roadPath(stage)}V${height}H-10z`} fill="var(--meadow)" />
      <path d={roadPath(stage)} fill="none" stroke="var(--road-edge)" strokeWidth={road.half * 2 + 5} />
      <path d={roadPath(stage)} fill="none" stroke="var(--road)" strokeWidth={road.half * 2} />
      {children}
      <path
        d={`M-10 ${road.y + road.half * 2.4}Q${width / 2} ${road.controlY + road.half * 2} ${width + 10} ${road.y + road.half * 2.2}V${height}H-10z`}
        fill="var(--fore)"
      />
      <g fill="var(--fore-2)">
        {bushes.map(([x, y, r]) => (
          <ellipse key={x} cx={x} cy={y} rx={r} ry={r * 0.66} />
        ))}
      </g>
    </>
  );
}

/** 80 units wide, its middle at the origin. */
const cloud =
  'M-31 6a6 6 0 0 1 0-12h1a9 9 0 0 1 9-8h10a9 9 0 0 1 9 6h2a6 6 0 0 1 6 6h20a5 5 0 0 1 0 10h-26a4 4 0 0 1-4-2z';

const crescent = (x: number, y: number, r: number) =>
  `M${x} ${y - r}a${r} ${r} 0 1 0 ${r} ${r * 1.3}a${r * 0.9} ${r * 0.9} 0 0 1 ${-r} ${-r * 1.3}z`;

const rainPath = ({ width, road }: Stage) =>
  Array.from({ length: Math.round(width / 45) }, (_, at) => {
    const x = 24 + at * 45;
    return `M${x} ${80 + ((at * 67) % (road.y - 130))}l-5 13`;
  }).join('');
