import { MarkPaths } from '../../ui/Mark.tsx';
import { texts } from '../../platform/texts.ts';
import { Parcel } from './buildings.tsx';

/** The longest place that fits on the sign. */
const maxSign = 18;

/** The depot, close by: the dock with the parcel in it, or on the counter for who collects it, or closed. */
export function Dock({ dock, place }: { dock: 'open' | 'asleep' | 'counter'; place: string | null }) {
  return (
    <>
      <path d="M-16 340 0 244h238l24 96z" fill="var(--road-edge)" />
      <path d="M0 95V76l64-20v24l84-24v24l90-24v39z" fill="var(--roof)" />
      <path d="M64 56v39H42zM148 56v39h-23zM238 56v39h-23z" fill="var(--roof-2)" />
      <path d="M0 94h238v150H0z" fill="var(--wall)" />
      <path d="M218 94h20v150h-20zM0 94h238v5H0z" fill="var(--wall-2)" />
      <g transform="translate(20 108) scale(.75)">
        <MarkPaths ground="var(--line)" />
      </g>
      {place !== null && place.length <= maxSign ? (
        <text x={52} y={125.5} fontSize={14.5} fontWeight={600} fill="var(--sign)">
          {place}
        </text>
      ) : (
        <rect x={52} y={115} width={92} height={10} rx={5} fill="var(--far)" />
      )}
      <path d={shutter(150, 62)} fill="var(--far)" />
      {dock === 'asleep' ? (
        <path d={shutter(20, 116)} fill="var(--far)" />
      ) : (
        <>
          <path d="M20 144h116v100H20z" fill="var(--dark)" />
          <path d="M20 144h116v12H20z" fill="var(--far)" />
          <path d="M20 150h116" stroke="var(--wall)" strokeWidth={1.5} />
          <path d="M26 205h104v3H26z" fill="#00000055" />
          <Parcel x={44} y={205} size={11.5} />
          <Parcel x={72} y={205} size={13.5} />
          <Parcel x={104} y={205} size={12.5} />
          {dock === 'counter' ? (
            <Counter />
          ) : (
            <>
              <Parcel x={40} y={251} size={17.5} />
              <Parcel x={112} y={251} size={15} />
              <ellipse cx={78} cy={252} rx={32} ry={5} fill="var(--shadow)" />
              <Parcel x={76} y={255} size={28} />
            </>
          )}
          <rect x={50} y={163} width={52} height={20} rx={6} fill="#101828" />
          <path d="M70 182h12l-6 7z" fill="#101828" />
          <text x={76} y={177} textAnchor="middle" fontSize={11.5} fontWeight={600} fill="#fff">
            {texts.track.yours}
          </text>
        </>
      )}
    </>
  );
}

/** The parcel on the counter, and who came for it. */
const Counter = () => (
  <>
    <path d="M40 232h76v22H40z" fill="var(--line)" />
    <path d="M34 226h88v7H34z" fill="var(--roof-2)" />
    <Parcel x={76} y={229} size={21} />
    <ellipse cx={176} cy={264} rx={22} ry={4.5} fill="var(--shadow)" />
    <path d="M166 240h8v24h-8zm12 0h8v24h-8z" fill="var(--dark)" />
    <path d="M160 246v-31a16 16 0 0 1 32 0v31z" fill="var(--roof)" />
    <path d="M164 214l-32 11 3 8 31-9z" fill="var(--roof-2)" />
    <circle cx={176} cy={187} r={11.5} fill="#e9c79b" />
    <path d="M164 186a12 12 0 0 1 24-2c-8 1-15-1-18-5-1 4-3 6-6 7z" fill="#713f12" />
  </>
);

const shutter = (x: number, width: number) =>
  Array.from({ length: 9 }, (_, at) => `M${x} ${144 + at * 11}h${width}v9.500h${-width}z`).join('');
