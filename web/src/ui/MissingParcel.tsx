import { ParcelFrame, ParcelShadow } from './ParcelFrame.tsx';

/** The parcel that was not found, alone: for the tracker, which needs no other drawing of the family. */
export function MissingParcel() {
  return (
    <ParcelFrame>
      <ParcelShadow />
      <path d="m90 62 60-34 60 34v60l-60 34-60-34z" className="fill-sunken" />
      <path
        d="m90 62 60-34 60 34v60l-60 34-60-34zm0 0 60 34m0 0 60-34m-60 34v60"
        className="stroke-control"
        strokeWidth="2.5"
        strokeDasharray="7 6"
        strokeLinejoin="round"
      />
      <g className="fill-surface stroke-brand" strokeWidth="2.75">
        <path d="m206 55 58 10q5 1 4 6l-4 20a8 8 0 0 0-3 16l-3 22q-1 5-6 4l-57-10q-5-1-4-6l10-57q0-5 5-5z" />
        <path
          d="M216 84q2-14 14-12t8 12q-2 6-8 7-5 2-6 9"
          strokeWidth="5"
          strokeLinecap="round"
          className="fill-none stroke-brand"
        />
      </g>
      <circle cx="223" cy="112" r="3.5" className="fill-brand" />
    </ParcelFrame>
  );
}
