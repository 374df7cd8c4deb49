import type { Package } from '@waybill/contract';
import { writeToClipboard } from '../platform/clipboard.ts';
import { toast } from '../platform/toasts.ts';

/** Text for sharing a tracker link. */
export const shareText = ({ name }: Pick<Package, 'name'>) => `Follow the delivery of ${name}`;

export const shareByMail = (pkg: Pick<Package, 'name'>, link: string): string =>
  `mailto:?subject=${encodeURIComponent(shareText(pkg))}&body=${encodeURIComponent(`${shareText(pkg)}:\n${link}`)}`;

export async function copyLink(link: string): Promise<void> {
  if (await writeToClipboard(link)) toast({ title: 'Link copied', description: link });
  else toast({ title: 'The link could not be copied', description: link, variant: 'destructive' });
}

/** Whether the browser supports the Web Share API. */
export const hasShareSheet = (): boolean => typeof navigator !== 'undefined' && typeof navigator.share === 'function';

/** Opens the share sheet. Closing it (AbortError) does nothing; any other failure falls back to copying the link. */
export const openShareSheet = (pkg: Pick<Package, 'name'>, link: string): Promise<void> =>
  navigator.share({ title: pkg.name, text: shareText(pkg), url: link }).catch((error: unknown) => {
    if (!(error instanceof DOMException) || error.name !== 'AbortError') return copyLink(link);
  });
