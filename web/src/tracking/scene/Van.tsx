import { useEffect, useRef } from 'react';
import { MarkPaths } from '../../ui/Mark.tsx';

interface VanProps {
  /** The middle of the van, and the ground under it. */
  x: number;
  y: number;
  scale: number;
  /** The tilt of the road in degrees. */
  tilt?: number;
  /** Faces left. */
  flipped?: boolean;
}

const length = 146;
const wheelRadius = 13;

/** The delivery van. When it gets another place it drives there, and its wheels turn by the distance. */
export function Van({ x, y, scale, tilt = 0, flipped = false }: VanProps) {
  const body = useRef<SVGGElement>(null);
  const last = useRef(x);
  useEffect(() => {
    const distance = (x - last.current) / scale;
    last.current = x;
    if (distance === 0 || matchMedia('(prefers-reduced-motion: reduce)').matches) return;
    const timing = { duration: 900, easing: 'cubic-bezier(.2,.8,.2,1)' };
    body.current?.animate?.([{ transform: `translateX(${-distance}px)` }, { transform: 'none' }], timing);
    const turn = `rotate(${-distance / wheelRadius}rad)`;
    for (const wheel of body.current?.querySelectorAll('.scene-wheel') ?? [])
      wheel.animate([{ transform: turn }, { transform: 'none' }], timing);
  }, [x, scale]);
  return (
    <g
      transform={`translate(${x} ${y}) rotate(${tilt}) scale(${flipped ? -scale : scale} ${scale}) translate(${-length / 2} -78)`}
    >
      <g ref={body}>
        <ellipse cx={73} cy={78} rx={74} ry={4.5} fill="var(--shadow)" />
        {/* One over the other: the light fades with the distance. */}
        {[28, 44, 60, 76].map((reach) => (
          <path
            key={reach}
            d={`M143 44l${reach} ${-reach / 4}q${reach / 4} ${reach * 0.36} 0 ${reach * 0.72}z`}
            fill="var(--beam)"
            className="[filter:blur(7px)]"
          />
        ))}
        <path
          d="M6 62V14C6 7 10 3 17 3h83c5 0 9 2 12 6l15 23 11 4c5 2 7 5 7 10v16z"
          fill="var(--van)"
          stroke="var(--van-edge)"
          strokeWidth={1.5}
        />
        <path d="M5.300 51h140v12q0 3-3 3H9q-3.700 0-3.700-3.700z" fill="var(--color-brand)" />
        <path d="M91 12h13q4 0 6 3l13 19H91z" fill="var(--glass)" />
        <path d="M86 12v38M93 41h8" stroke="var(--van-edge)" strokeWidth={1.5} />
        <ellipse cx={140} cy={45} rx={4} ry={4.5} fill="#ffe29a" />
        <path d="M4 43h3.500v9H4z" fill="#e5484d" />
        <g transform={`translate(${flipped ? 64 : 33} 14) scale(${flipped ? -0.9 : 0.9} .9)`}>
          <MarkPaths />
        </g>
        {[35, 114].map((wheelX) => (
          <g key={wheelX} className="scene-wheel">
            <circle cx={wheelX} cy={65} r={wheelRadius} fill="#141d33" />
            <circle cx={wheelX} cy={65} r={6} fill="#dbe3f2" />
            <path d={`M${wheelX} 60v10m-5-5h10`} stroke="#141d33" strokeWidth={1.6} />
          </g>
        ))}
      </g>
    </g>
  );
}
