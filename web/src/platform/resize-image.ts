const maxSide = 2048;

/**
 * A picture as it is sent: at most 2,048 px on its longer side, the right way up, as a JPEG. A telephone's photo of 8 MB takes minutes
 * over a weak signal, and shows no more than this on a receipt. What is small already, or no picture to this browser, stays as it is.
 */
export async function scaleDown(file: File): Promise<File> {
  const picture = await createImageBitmap(file, { imageOrientation: 'from-image' }).catch(() => null);
  if (!picture) return file;
  try {
    const scale = maxSide / Math.max(picture.width, picture.height);
    if (scale >= 1) return file;
    const canvas = document.createElement('canvas');
    canvas.width = Math.max(1, Math.round(picture.width * scale));
    canvas.height = Math.max(1, Math.round(picture.height * scale));
    const paper = canvas.getContext('2d');
    if (!paper) return file;
    // A JPEG has nothing behind what is transparent, and would show it black.
    paper.fillStyle = 'white';
    paper.fillRect(0, 0, canvas.width, canvas.height);
    paper.imageSmoothingQuality = 'high';
    paper.drawImage(picture, 0, 0, canvas.width, canvas.height);
    const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg', 0.85));
    return blob ? new File([blob], `${file.name.replace(/\.\w+$/, '')}.jpg`, { type: 'image/jpeg' }) : file;
  } finally {
    picture.close();
  }
}
