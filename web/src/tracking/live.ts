import type { PublicView } from '@waybill/contract';
import { openStream } from '../platform/event-stream.ts';
import type { StreamState } from '../platform/event-stream.ts';

interface Follower {
  /** The whole public view: at once after every connection, and at every change. */
  onView: (view: PublicView) => void;
  onState: (state: StreamState) => void;
}

/** Follows a package by its tracking ID, without signing in. Returns the way to stop. */
export const followPackage = (id: string, { onView, onState }: Follower): (() => void) =>
  openStream({
    url: `/api/track/${encodeURIComponent(id)}/live`,
    onState,
    onEvent: (name, data) => {
      if (name === 'view') onView(JSON.parse(data));
    },
  });
