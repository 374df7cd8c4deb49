import { ContactContent } from './pages/parts/ContactContent.tsx';
import { hydrate } from './hydrate.tsx';

void hydrate(ContactContent);
