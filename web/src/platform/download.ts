/** Saves a response as a file, under the name in its Content-Disposition header. */
export async function saveResponse(response: Response, fallbackName: string): Promise<void> {
  const name = /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1] ?? fallbackName;
  saveFile(await response.blob(), name);
}

export function saveFile(content: Blob, name: string): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // Revoke in the next task: by then the download has started.
  setTimeout(() => URL.revokeObjectURL(url));
}
