import { Parcel, Plate } from './buildings.tsx';

/** The recipient's door, close by: open with the parcel on the mat, or closed with a card at it. */
export function Doorstep({ delivered, initial }: { delivered: boolean; initial: string | null }) {
  return (
    <>
      <path d="M144 340l18-94h400v94z" fill="var(--road-edge)" />
      <path d="M160 94h400v152H160z" fill="var(--wall)" />
      <path d="M160 94h11v152h-11zm0 0h400v7H160z" fill="var(--wall-2)" />
      <path d="M144 92l36-34h380v34z" fill="var(--roof)" />
      <path
        d="M144 91h420v6H144zM176 87l14-24 2 0-14 24zm42 0 14-24 2 0-14 24zm42 0 14-24 2 0-14 24zm42 0 14-24 2 0-14 24zm42 0 14-24 2 0-14 24zm42 0 14-24 2 0-14 24zm42 0 14-24 2 0-14 24zm42 0 14-24 2 0-14 24z"
        fill="var(--roof-2)"
      />
      <rect x={208} y={124} width={76} height={120} rx={5} fill="var(--wall-2)" />
      <path d="M216 134h60v108h-60z" fill={delivered ? 'var(--lit)' : 'var(--door)'} />
      <path d="M198 126l10-16h76l10 16z" fill="var(--roof-2)" />
      <circle cx={302} cy={140} r={26} className="scene-lamp" />
      <path d="M295 133h14v4h-14z" fill="var(--roof-2)" />
      <path d="M297 137h10l-2 10h-6z" fill="#ffe29a" />
      <Plate x={292} y={156} size={20} initial={initial} />
      {[318, 414].map((x) => (
        <g key={x}>
          <rect x={x} y={124} width={60} height={70} rx={4} fill="var(--wall-2)" />
          <path d={`M${x + 4} 128h52v62h-52z`} fill={delivered ? 'var(--lit)' : 'var(--glass-2)'} />
          <path d={`M${x + 30} 128v62M${x + 4} 158h52`} stroke="var(--wall)" strokeWidth={3} />
          <rect x={x - 3} y={192} width={66} height={6} rx={2} fill="var(--roof-2)" />
        </g>
      ))}
      {delivered && (
        <path
          d="M328 192c0-8 4-13 8-14l-1-7 4 3h5l4-3v7c3 2 5 6 5 10 4 0 3-6 2-9l2-1c3 6 1 14-6 14z"
          fill="var(--roof-2)"
        />
      )}
      <path d="M196 244h100v9H196z" fill="var(--road)" />
      <path d="M212 242h68l7 8h-82z" fill="var(--roof-2)" />
      <ellipse cx={312} cy={219} rx={15} ry={17} fill="var(--tree-2)" />
      <path d="M312 202a15 17 0 0 1 0 34z" fill="var(--tree)" />
      <path d="M301 232h22l-3 18h-16z" fill="var(--roof-2)" />
      {delivered ? (
        <>
          <path d="M192 132l24 2v108h-24z" fill="var(--line)" className="scene-leaf" />
          <path d="M197 146l14 1v36l-14 2z" fill="#fff" fillOpacity={0.3} />
          <circle cx={197} cy={202} r={2.5} fill="#ffe29a" />
          <g className="scene-parcel">
            <Parcel x={252} y={247} size={28} />
          </g>
          <circle cx={252} cy={163} r={14.5} fill="#fff" />
          <circle cx={252} cy={163} r={12.5} fill="#15803d" />
          <path
            d="M246.500 163.500l4 4 7-8"
            fill="none"
            stroke="#fff"
            strokeWidth={2.6}
            strokeLinecap="round"
            strokeLinejoin="round"
            className="scene-check"
          />
        </>
      ) : (
        <>
          <path d="M226 146h40v36h-40zm0 55h22v38h-22z" fill="#fff" fillOpacity={0.14} />
          <g transform="translate(266 218) rotate(7)">
            <path
              d="M-19-25h38a3 3 0 0 1 3 3v17a5 5 0 0 0 0 9v16a3 3 0 0 1-3 3h-38a3 3 0 0 1-3-3v-42a3 3 0 0 1 3-3z"
              fill="#fde68a"
            />
            <circle cx={0} cy={-18} r={2.8} fill="var(--door)" />
            <path d="M-13-8h18m-18 7h24m-24 7h18" stroke="#713f12" strokeWidth={2.5} strokeLinecap="round" />
            <path d="M-13 15h20" stroke="#a16207" strokeWidth={2.6} strokeDasharray="4 3.500" strokeLinecap="round" />
          </g>
        </>
      )}
    </>
  );
}
