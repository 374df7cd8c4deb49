import { MarkPaths } from '../../ui/Mark.tsx';

/** The depot at the start of the road, 126 x 107 units, standing on y 107. */
export function SmallDepot() {
  return (
    <>
      <path d="M0 36V20L42 2v18L84 2v18l42-18v34z" fill="var(--roof)" />
      <path d="M42 2v34H28zM84 2v34H70zM126 2v34h-14z" fill="var(--roof-2)" />
      <path d="M0 35h126v72H0z" fill="var(--wall)" />
      <path d="M90 35h36v72H90z" fill="var(--wall-2)" />
      <path d="M0 35h126v5H0z" fill="var(--road-edge)" />
      <g transform="translate(11 45) scale(.7)">
        <MarkPaths />
      </g>
      <path d="M40 52h36v7H40zM70 73h42v7H70zm0 9h42v7H70zm0 9h42v7H70zm0 9h42v7H70z" fill="var(--far)" />
      <path d="M12 73h42v34H12z" fill="var(--lit)" />
      <path d="M12 73h42v8H12z" fill="var(--far)" />
    </>
  );
}

/** Three kinds of houses on the way, 44 x 60 units, standing on y 60. `lit`: somebody waits there. */
export function SmallHouse({ kind, lit }: { kind: number; lit: boolean }) {
  const roofs = ['M0 26 22 2l22 24z', 'M3 20 8 6h28l5 14zM30 0h6v8h-6z', 'M2 24V12L42 2v22z'];
  return (
    <>
      <path d="M4 18h36v42H4z" fill="var(--wall)" />
      <path d="M26 18h14v42H26z" fill="var(--wall-2)" />
      <path d={roofs[kind % 3]} fill="var(--roof)" />
      <path d="M10 30h8v8h-8zm14 0h8v8h-8z" fill={lit ? 'var(--lit)' : 'var(--far)'} className="scene-change" />
      <path d="M18 60V50a4.500 4.500 0 0 1 9 0v10z" fill="var(--line)" />
    </>
  );
}

/** The recipient's house, 135 x 137 units, standing on y 137. */
export function RecipientHouse({ initial }: { initial: string | null }) {
  return (
    <>
      <circle cx={67} cy={90} r={100} className="scene-glow" />
      <path d="M98 4h16v34H98zM95 0h22v7H95z" fill="var(--roof-2)" />
      <path d="M11 58h78v79H11z" fill="var(--wall)" />
      <path d="M89 58h36v79H89z" fill="var(--wall-2)" />
      <path d="M0 63 67 3l68 60z" fill="var(--roof)" />
      <path d="M67 3l68 60H67z" fill="var(--roof-2)" />
      <circle cx={67} cy={43} r={10} fill="var(--lit)" />
      <path d="M67 33v20M57 43h20" stroke="var(--roof)" strokeWidth={2} />
      <path d="M19 83h24v26H19z" fill="var(--lit)" />
      <path d="M31 83v26M19 96h24" stroke="var(--wall)" strokeWidth={2} />
      <path d="M16 109h30v4H16zM45 86l5-8h38l5 8z" fill="var(--roof-2)" />
      <path d="M52 86h32v51H52z" fill="var(--line)" />
      <path d="M57 92h22v15H57z" fill="#fff" fillOpacity={0.35} />
      <circle cx={79} cy={117} r={2} fill="#ffe29a" />
      <Plate x={96} y={88} size={24} initial={initial} />
    </>
  );
}

/** The plate beside the door, with the recipient's initial, or a house where the recipient is not shown. */
export function Plate({ x, y, size, initial }: { x: number; y: number; size: number; initial: string | null }) {
  return (
    <g transform={`translate(${x} ${y}) scale(${size / 24})`}>
      <rect width={24} height={24} rx={6} fill="var(--plate)" />
      {initial === null ? (
        <path d="M6 12.500 12 7l6 5.500V18h-4v-4h-4v4H6z" fill="#fff" />
      ) : (
        <text x={12} y={17} textAnchor="middle" fontSize={14} fontWeight={600} fill="#fff">
          {initial}
        </text>
      )}
    </g>
  );
}

/** A parcel in isometric view; its lower corner is at the origin. */
export function Parcel({ x, y, size }: { x: number; y: number; size: number }) {
  return (
    <g transform={`translate(${x} ${y}) scale(${size / 100})`}>
      <path d="M0-200 87-150 0-100-87-150z" fill="#e9c79b" />
      <path d="M-87-150 0-100V0l-87-50z" fill="#d3a870" />
      <path d="M87-150 0-100V0l87-50z" fill="#bc8e55" />
      <path d="M29-183-58-133v26l29 17v-26l87-50z" fill="#f6e6c8" />
      <path d="M-76-92l42 24v32l-42-24z" fill="#fff" />
      <path d="M-70-80l28 16M-70-70l18 10" stroke="#1d4ed8" strokeWidth={5} />
      <path d="M-70-60v9m6-5v9m6-6v9m6-5v9" stroke="#101828" strokeWidth={3} />
    </g>
  );
}
