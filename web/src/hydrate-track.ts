import { TrackContent } from './pages/parts/TrackContent.tsx';
import { hydrate } from './hydrate.tsx';

void hydrate(TrackContent);
