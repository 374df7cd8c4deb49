import { TextContent } from './pages/parts/TextContent.tsx';
import { hydrate } from './hydrate.tsx';

void hydrate(TextContent);
