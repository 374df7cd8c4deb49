import { useCallback } from 'react';
import type { ChosenImage } from './image-choice.ts';
import { imageCount } from './ImageFields.tsx';

/** The number of pictures, and each of them small. */
export function PictureThumbs({ files }: { files: readonly ChosenImage[] }) {
  return (
    <span className="flex items-center gap-2">
      <span className="figures">{imageCount(files)}</span>
      {files.map((file, index) => (
        // The same picture may be chosen twice.
        // oxlint-disable-next-line react/no-array-index-key
        <Thumb key={index} file={file} />
      ))}
    </span>
  );
}

function Thumb({ file }: { file: ChosenImage }) {
  const show = useCallback(
    (image: HTMLImageElement) => {
      const url = typeof file === 'string' ? file : URL.createObjectURL(file);
      image.src = url;
      return () => URL.revokeObjectURL(url);
    },
    [file],
  );
  return <img ref={show} alt="" className="size-8 rounded-control object-cover" />;
}
