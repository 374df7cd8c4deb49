import { api } from '../platform/api.ts';
import { saveFile } from '../platform/download.ts';
import { toast } from '../platform/toasts.ts';
import { getLabelSize } from './label-size.ts';

/**
 * Fetches the labels and saves them as a PDF. Not opened in a tab or a frame: those inherit the page's policy, under which Chrome shows no
 * PDF, and phones do not print frames.
 */
export async function saveLabels(packageIds: string[], signal?: AbortSignal): Promise<File> {
  const reply = await api.labels.print({ body: { packageIds, size: getLabelSize() }, signal });
  const name = /filename="([^"]+)"/.exec(reply.headers.get('content-disposition') ?? '')?.[1] ?? 'labels.pdf';
  const file = new File([await reply.blob()], name, { type: 'application/pdf' });
  saveFile(file, name);
  return file;
}

/** For places that are gone once it is done, such as a toast: its result is another toast. */
export async function saveLabelsWithToast(packageIds: string[]): Promise<void> {
  try {
    const { name } = await saveLabels(packageIds);
    toast({ title: 'Label saved', description: `${name} is ready to print.` });
  } catch (error) {
    const description = error instanceof Error ? error.message : 'Please try again.';
    toast({ title: 'The label could not be printed', description, variant: 'destructive' });
  }
}

/** Whether the share sheet takes files. On phones it is where printing is. */
export const canShareFile = (file: File): boolean =>
  typeof navigator.canShare === 'function' && navigator.canShare({ files: [file] });

/** Closing the sheet is no error. */
export const shareFile = (file: File): Promise<void> => navigator.share({ files: [file] }).catch(() => {});
