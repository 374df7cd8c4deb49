import { useEffect, useState } from 'react';
import { texts } from '../../platform/texts.ts';
import type { PictureName } from './picture.ts';

let page: Promise<Document> | null = null;

/**
 * The landing page as the server draws it. The application shows its pictures, too: it would otherwise have to load the code of many
 * screens, and share it between chunks of pages that need a part of it.
 */
function loadPage(): Promise<Document> {
  return (page ??= fetch(`/?lang=${texts.locale.slice(0, 2)}`)
    .then((response) => response.text())
    // Without the head: its styles are not allowed here.
    .then((html) => new DOMParser().parseFromString(html.slice(html.indexOf('<body')), 'text/html'))
    .catch((error: unknown) => {
      page = null;
      throw error;
    }));
}

/** A picture of the landing page, empty until it is loaded, or if it cannot be: it is decorative. */
export function FetchedPicture({ name }: { name: PictureName }) {
  const [html, setHtml] = useState('');
  useEffect(() => {
    let isMounted = true;
    loadPage().then(
      (drawn) => isMounted && setHtml(drawn.querySelector(`[data-picture="${name}"]`)?.innerHTML ?? ''),
      () => undefined,
    );
    return () => {
      isMounted = false;
    };
  }, [name]);
  return <div className="contents" dangerouslySetInnerHTML={{ __html: html }} />;
}
