import type { PageContentProps } from './page-content.ts';
import { PublicTrack } from '../../tracking/PublicTrack.tsx';
import { LazyRecipientPart } from './LazyRecipientPart.tsx';

export const TrackContent = ({ page, dayZone }: PageContentProps) =>
  page.name === 'track' ? <PublicTrack {...page} Recipient={LazyRecipientPart} dayZone={dayZone} /> : null;
