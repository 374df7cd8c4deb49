import { usePageTitle } from '../platform/page-title.ts';
import { chooseRole, useSession } from '../platform/session.ts';
import { FetchedPicture } from './parts/FetchedPicture.tsx';
import { Landing } from './parts/Landing.tsx';

export function LandingPage() {
  usePageTitle();
  const { role } = useSession();
  return <Landing role={role} onChooseRole={chooseRole} Picture={FetchedPicture} />;
}
