import { useState } from 'react';
import { classes } from '../../ui/classes.ts';
import { sceneText } from '../texts.ts';
import { RecipientHouse, SmallDepot, SmallHouse } from './buildings.tsx';
import { Dock } from './Dock.tsx';
import { Doorstep } from './Doorstep.tsx';
import { phone, roadAt, roadPath, round, slopeAt, wide, type Stage } from './geometry.ts';
import { Landscape } from './Landscape.tsx';
import type { SceneState } from './scene-state.ts';
import { maxHouses } from './state.ts';
import { Van } from './Van.tsx';

const bothWidths: readonly Stage[] = [phone, wide];

/**
 * The drawing above the answer: where the parcel is, from the depot to the door. It is drawn for both widths, because the server does
 * not know the viewer's; styles show one. Without a script the server's drawing is final.
 */
export function Scene({ state, stages = bothWidths }: { state: SceneState; stages?: readonly Stage[] }) {
  const [first] = useState(state.shot);
  return (
    <div
      role="img"
      aria-label={sceneText(state)}
      // Only what changes before the viewer's eyes moves: a page that loads with a delivered parcel stands still.
      className={classes('scene', state.shot !== first && 'scene-arrives')}
    >
      {stages.map((stage) => (
        <svg
          key={stage.width}
          viewBox={`0 0 ${stage.width} ${stage.height}`}
          preserveAspectRatio="xMidYMax slice"
          aria-hidden="true"
          className={stage === phone ? 'scene-phone' : 'scene-wide'}
        >
          <Landscape stage={stage} {...(state.shot === 'door' && { sun: stage.close.sun, rain: !state.delivered })}>
            <Shot stage={stage} state={state} />
          </Landscape>
          {state.shot !== 'road' && <CloseUp stage={stage} state={state} />}
        </svg>
      ))}
    </div>
  );
}

function Shot({ stage, state }: { stage: Stage; state: SceneState }) {
  if (state.shot === 'road') return <Road stage={stage} state={state} />;
  if (state.shot === 'depot' && !state.van) return null;
  // Leaving the door, or beside the depot.
  const { scale, door, depot } = stage.close;
  const isDoor = state.shot === 'door';
  const x = isDoor ? door[0] + 68 * scale : depot[0] + 302 * scale;
  const size = stage.van * (isDoor ? 0.6 : 1.3);
  return <Van x={x} y={roadAt(stage, x) + (isDoor ? 0 : 8)} scale={size} flipped={isDoor} />;
}

function CloseUp({ stage: { close }, state }: { stage: Stage; state: SceneState }) {
  const [x, y] = state.shot === 'door' ? close.door : close.depot;
  return (
    <g transform={`translate(${x} ${y}) scale(${close.scale})`}>
      {state.shot === 'door' && <Doorstep delivered={state.delivered} initial={state.initial} />}
      {state.shot === 'depot' && <Dock dock={state.dock} place={state.place} />}
    </g>
  );
}

/** The road: driven part solid, the rest dotted, with a ring and a lit house for each stop before this one. */
function Road({ stage, state }: { stage: Stage; state: Extract<SceneState, { shot: 'road' }> }) {
  const { depot, door, road } = stage;
  const start = depot.x + 33 * depot.scale;
  const end = door.x + 67 * door.scale;
  const stops = state.stopsAway;
  const houses = stops === null || stops > maxHouses ? 0 : stops;
  const vanX = vanAt(stage, start, end, stops);
  const standsOn = (x: number, height: number, scale: number) =>
    `translate(${x} ${round(roadAt(stage, x) - road.half + 3 - height * scale)}) scale(${scale})`;
  const first = vanX + 73 * stage.van;
  const gap = (end - first) / (houses + 1);
  const lineWidth = stage === phone ? 3.6 : 5;
  return (
    <>
      <g transform={standsOn(depot.x, 107, depot.scale)}>
        <SmallDepot />
      </g>
      {Array.from({ length: houses }, (_, at) => {
        const x = round(first + (at + 1) * gap * 0.92 - 20 * door.scale);
        return (
          <g key={at} transform={standsOn(x, 60, door.scale)}>
            <SmallHouse kind={at} lit />
          </g>
        );
      })}
      <g transform={standsOn(door.x, 137, door.scale)}>
        <RecipientHouse initial={state.initial} />
      </g>
      <path
        d={roadPath(stage, first, end)}
        fill="none"
        stroke="var(--line)"
        strokeOpacity={0.8}
        strokeWidth={lineWidth * 0.72}
        strokeLinecap="round"
        strokeDasharray={`.1 ${lineWidth * 1.8}`}
      />
      <path
        d={roadPath(stage, start, vanX - 20 * stage.van)}
        fill="none"
        stroke="var(--line)"
        strokeWidth={lineWidth}
        strokeLinecap="round"
      />
      <circle cx={start} cy={roadAt(stage, start)} r={lineWidth * 1.3} fill="var(--line)" />
      {Array.from({ length: houses }, (_, at) => {
        const x = round(first + (at + 1) * gap * 0.92);
        return <Ring key={at} stage={stage} x={x} r={lineWidth * 1.35} />;
      })}
      <Ring stage={stage} x={end} r={lineWidth * 1.9} target />
      <Van x={vanX} y={round(roadAt(stage, vanX) + road.half * 0.55)} scale={stage.van} tilt={tiltAt(stage, vanX)} />
    </>
  );
}

function Ring({ stage, x, r, target = false }: { stage: Stage; x: number; r: number; target?: boolean }) {
  const y = round(roadAt(stage, x));
  return (
    <>
      <circle
        cx={x}
        cy={y}
        r={r}
        fill={target ? 'var(--line)' : 'var(--road)'}
        stroke="var(--line)"
        strokeWidth={r * 0.5}
      />
      {target && <circle cx={x} cy={y} r={r * 0.42} fill="var(--road)" />}
    </>
  );
}

/** Next stop: right before the door. Few stops: room for a house each. Otherwise, as nobody knows, in the middle. */
function vanAt(stage: Stage, start: number, end: number, stops: number | null): number {
  if (stops === null) return round((start + end) / 2);
  if (stops > maxHouses) return round(start + (end - start) * 0.35);
  const room = 20 * stage.van + 73 * stage.van + stops * 52 * stage.door.scale;
  return round(end - room);
}

const tiltAt = (stage: Stage, x: number) => round((Math.atan(slopeAt(stage, x)) * 180) / Math.PI);
