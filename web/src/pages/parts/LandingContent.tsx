import type { PageContentProps } from './page-content.ts';
import { DrawnPicture } from './DrawnPicture.tsx';
import { Landing } from './Landing.tsx';

export const LandingContent = ({ user }: PageContentProps) => (
  <Landing role={user?.role ?? null} Picture={DrawnPicture} />
);
