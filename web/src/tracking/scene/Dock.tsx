import { MarkPaths } from '../../ui/Mark.tsx';
import { texts } from '../../platform/texts.ts';
import { Parcel } from './buildings.tsx';

/** The longest place that fits on the sign. */
const maxSign = 18;

/** The depot, close by: the dock with the parcel in it, or closed. */
export function Dock({ open, place }: { open: boolean; place: string | null }) {
  return (
    <>
      <path d="M-16 340 0 244h238l24 96z" fill="var(--road)" />
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
      {open ? (
        <>
          <path d="M20 144h116v100H20z" fill="var(--dark)" />
          <path d="M20 144h116v12H20z" fill="var(--far)" />
          <path d="M20 150h116" stroke="var(--wall)" strokeWidth={1.5} />
          <path d="M26 205h104v3H26z" fill="#00000055" />
          <Parcel x={44} y={205} size={11.5} />
          <Parcel x={72} y={205} size={13.5} />
          <Parcel x={104} y={205} size={12.5} />
          <Parcel x={40} y={251} size={17.5} />
          <Parcel x={112} y={251} size={15} />
          <ellipse cx={78} cy={252} rx={32} ry={5} fill="var(--shadow)" />
          <Parcel x={76} y={255} size={28} />
          <rect x={50} y={163} width={52} height={20} rx={6} fill="#101828" />
          <path d="M70 182h12l-6 7z" fill="#101828" />
          <text x={76} y={177} textAnchor="middle" fontSize={11.5} fontWeight={600} fill="#fff">
            {texts.track.yours}
          </text>
        </>
      ) : (
        <path d={shutter(20, 116)} fill="var(--far)" />
      )}
    </>
  );
}

const shutter = (x: number, width: number) =>
  Array.from({ length: 9 }, (_, at) => `M${x} ${144 + at * 11}h${width}v9.500h${-width}z`).join('');
