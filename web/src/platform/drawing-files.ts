const sources = new WeakMap<File, string>();

/** A drawing as a PNG file. Its data URL is remembered, so that a draft can be saved synchronously while the page unloads. */
export function drawingOf(dataUrl: string): File {
  const bytes = Uint8Array.from(atob(dataUrl.slice(dataUrl.indexOf(',') + 1)), (byte) => byte.charCodeAt(0));
  const file = new File([bytes], 'signature.png', { type: 'image/png' });
  sources.set(file, dataUrl);
  return file;
}

/** The data URL of a drawing; null for any other file. */
export const sourceOf = (file: File): string | null => sources.get(file) ?? null;
