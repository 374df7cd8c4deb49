import type { Package } from '@waybill/contract';
import { writeToClipboard } from '../platform/clipboard.ts';
import { toast } from '../platform/toasts.ts';

/** What is passed on to whoever waits for a package. */
export const shareText = ({ name }: Pick<Package, 'name'>) => `Follow the delivery of ${name}`;

export const shareByMail = (pkg: Pick<Package, 'name'>, link: string): string =>
  `mailto:?subject=${encodeURIComponent(shareText(pkg))}&body=${encodeURIComponent(`${shareText(pkg)}:\n${link}`)}`;

export async function copyLink(link: string): Promise<void> {
  if (await writeToClipboard(link)) toast({ title: 'Link copied', description: link });
  else toast({ title: 'The link could not be copied', description: link, variant: 'destructive' });
}

/** Whether the browser has a sheet of its own for passing things on. */
export const hasShareSheet = (): boolean => typeof navigator !== 'undefined' && typeof navigator.share === 'function';

/** Whoever closes the sheet has changed their mind; when it fails otherwise, the link can still be copied. */
export const openShareSheet = (pkg: Pick<Package, 'name'>, link: string): Promise<void> =>
  navigator.share({ title: pkg.name, text: shareText(pkg), url: link }).catch((error: unknown) => {
    if (!(error instanceof DOMException) || error.name !== 'AbortError') return copyLink(link);
  });
