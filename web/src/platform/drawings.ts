const sources = new WeakMap<File, string>();

/** What was drawn, as a file. What it was made of goes with it, so that it can be written down at once when the page goes. */
export function drawingOf(dataUrl: string): File {
  const bytes = Uint8Array.from(atob(dataUrl.slice(dataUrl.indexOf(',') + 1)), (byte) => byte.charCodeAt(0));
  const file = new File([bytes], 'signature.png', { type: 'image/png' });
  sources.set(file, dataUrl);
  return file;
}

/** The data URL of a drawing; null of any other file. */
export const sourceOf = (file: File): string | null => sources.get(file) ?? null;
