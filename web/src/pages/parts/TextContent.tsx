import type { PublicPageData } from '@waybill/contract';
import type { PageContentProps } from './page-content.ts';

let draw: (page: PublicPageData) => string = () => '';

/** Only on the server: in the browser a page of text stays as the server drew it, so that no visitor loads its text twice. */
export function setTextDrawing(drawing: typeof draw): void {
  draw = drawing;
}

/** A page that has only text and links, as HTML. Hydration keeps the content of an element that has its HTML set. */
export const TextContent = ({ page }: PageContentProps) => (
  <div className="contents" dangerouslySetInnerHTML={{ __html: draw(page) }} />
);
