import { LandingContent } from './pages/parts/LandingContent.tsx';
import { hydrate } from './hydrate.tsx';

void hydrate(LandingContent);
