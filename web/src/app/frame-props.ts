import type { Language, Organisation } from '@waybill/contract';
import type { ReactNode, Ref } from 'react';
import type { FrameUser } from '../platform/last-session.ts';
import type { Overlay } from './overlays.ts';

/** What every frame takes: plain props, so that the server can render one. */
export interface FrameProps {
  organisation: Organisation;
  /** Whether the server serves its API reference. */
  apiDocs: boolean;
  /** The languages that are offered. */
  languages: readonly Language[];
  user: FrameUser | null;
  /** The user is being fetched, and nothing is known of the last session: neither 'Sign In' nor a name is shown yet. */
  loading?: boolean;
  /** The path of the current page. */
  path: string;
  /** The live connection is lost. */
  reconnecting?: boolean;
  onLogout: () => void;
  /** Opens an overlay; absent on pages without overlays. */
  onOverlay?: (overlay: Overlay) => void;
  /** The link to the notifications, if the user can read them. */
  bell?: ReactNode;
  mainRef?: Ref<HTMLElement>;
  /** The language of the content, if it is not that of the frame. */
  mainLanguage?: string;
  children: ReactNode;
}
