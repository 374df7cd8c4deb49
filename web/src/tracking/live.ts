import type { PublicView } from '@waybill/contract';
import { openStream } from '../platform/event-stream.ts';
import type { StreamState } from '../platform/event-stream.ts';

interface StreamHandlers {
  /** Receives the whole public view: once after each (re)connect, then on every change. */
  onView: (view: PublicView) => void;
  onState: (state: StreamState) => void;
}

/** Opens the live stream of a package by tracking ID, without a session. @returns closes the stream */
export const followPackage = (id: string, { onView, onState }: StreamHandlers): (() => void) =>
  openStream({
    url: () => `/api/track/${encodeURIComponent(id)}/live`,
    onState,
    onEvent: (name, data) => {
      if (name === 'view') onView(JSON.parse(data));
      // Something that only the recipient's part shows.
      if (name === 'recipient') dispatchEvent(new Event(name));
    },
  });
