import type { PublicPageData } from '@waybill/contract';
import type { FrameUser } from '../../platform/last-session.ts';

/** What stands between header and footer of a public page gets these. */
export interface PageContentProps {
  page: PublicPageData;
  /** Who is signed in, null on the server and until it is known. */
  user: FrameUser | null;
  /** Of the organisation: calendar days are its days. */
  dayZone: string;
}
