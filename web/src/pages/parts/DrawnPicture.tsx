import type { PictureName } from './picture.ts';

let draw: (name: PictureName) => string = () => '';

/** Only on the server: in the browser a picture stays as the server drew it, so that no visitor loads the code of the screens. */
export function setDrawing(drawing: typeof draw): void {
  draw = drawing;
}

/** A picture of the landing page as HTML. Hydration keeps the content of an element that has its HTML set. */
export const DrawnPicture = ({ name }: { name: PictureName }) => (
  <div data-picture={name} className="contents" dangerouslySetInnerHTML={{ __html: draw(name) }} />
);
