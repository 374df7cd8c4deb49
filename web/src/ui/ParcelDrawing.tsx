import type { ReactNode } from 'react';
import { MissingParcel } from './MissingParcel.tsx';
import { ParcelFrame, ParcelShadow } from './ParcelFrame.tsx';

/** `open`: nothing is here yet. `done`: nothing is left to do. `missing`: nothing was found. */
export type ParcelKind = 'open' | 'done' | 'missing';

/** The parcel of empty states, drawn as in the scenes of the tracker. Decorative: the words stand below it. */
export function ParcelDrawing({ kind }: { kind: ParcelKind }) {
  return kind === 'missing' ? <MissingParcel /> : <ParcelFrame>{drawings[kind]}</ParcelFrame>;
}

/** Cardboard is the same in both themes. */
const face = { top: '#e9c79b', left: '#d3a870', right: '#bc8e55', tape: '#f6e6c8' };

const drawings: Record<Exclude<ParcelKind, 'missing'>, ReactNode> = {
  open: (
    <>
      <path
        d="M20 136q44 14 82-14m72 26q62 30 100-28"
        className="stroke-ink-3"
        strokeWidth="2.5"
        strokeLinecap="round"
        strokeDasharray="0 9"
      />
      <circle cx="20" cy="136" r="5.5" className="fill-brand" />
      <circle cx="282" cy="110" r="8" className="fill-surface stroke-brand" strokeWidth="3.5" />
      <ParcelShadow />
      <path d="m90 86 60 34v36l-60-34z" fill={face.left} />
      <path d="m210 86-60 34v36l60-34z" fill={face.right} />
      <path d="m150 50 60 36-60 34-60-34z" fill="#6f4d27" />
      <path d="M150 50v34l-60 4z" fill="#93713e" />
      <path d="M90 86 74 62l58-36 18 24z" fill={face.left} />
      <path d="m150 50 18-24 58 36-16 24z" fill={face.top} />
      <path d="m90 86-20 20 60 34 20-20z" fill={face.top} />
      <path d="m210 86 20 20-60 34-20-20z" fill={face.tape} />
    </>
  ),
  done: (
    <>
      <path d="M62 136h176l20 26H42z" className="fill-blue-dot" fillOpacity="0.16" />
      <path d="M66 145h168" className="stroke-ink-3" strokeWidth="2.5" strokeDasharray="9 8" />
      <ParcelShadow />
      <path d="m94 66 56 32v56l-56-32z" fill={face.left} />
      <path d="m206 66-56 32v56l56-32z" fill={face.right} />
      <path d="m150 34 56 32-56 32-56-32z" fill={face.top} />
      <path d="m122 50 56 32v16l-12 7V89l-56-32z" fill={face.tape} />
      <path d="m102 82 26 15v25l-26-15z" fill="#fff" />
      <path d="m106 89 11 6m-11 2 18 10" stroke="#1d4ed8" strokeWidth="3" />
      <circle cx="210" cy="36" r="24" className="fill-success" />
      <path d="m199 36 8 8 14-15" stroke="#fff" strokeWidth="5" strokeLinecap="round" strokeLinejoin="round" />
    </>
  ),
};
