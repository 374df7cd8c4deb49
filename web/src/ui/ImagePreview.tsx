import { fill } from '@waybill/contract';
import { X } from 'lucide-react';
import { useCallback } from 'react';
import { translated } from '../platform/texts.ts';
import { IconButton } from './IconButton.tsx';

/** A preview of a chosen file that is not uploaded yet, or of a saved image by its URL. */
export function ImagePreview({ file, place, onRemove }: { file: File | string; place?: number; onRemove: () => void }) {
  const name = typeof file === 'string' ? `saved image ${place ?? 1}` : file.name;
  const show = useCallback(
    (image: HTMLImageElement) => {
      if (typeof file === 'string') {
        image.src = file;
        return;
      }
      const url = URL.createObjectURL(file);
      image.src = url;
      return () => URL.revokeObjectURL(url);
    },
    [file],
  );
  return (
    <li className="relative overflow-hidden rounded-card border border-line bg-sunken">
      <img
        ref={show}
        alt={fill(translated('Preview of {name}'), { name })}
        className="aspect-[4/3] w-full object-cover"
      />
      {/* Small on the picture, with the room of a button around it. */}
      <span className="absolute top-0 right-0 before:absolute before:inset-1.5 before:rounded-full before:bg-surface before:shadow-float [&_button]:relative [&_button]:bg-transparent [&_svg]:size-4">
        <IconButton
          size="sm"
          label={fill(translated('Remove {name}'), { name })}
          icon={<X aria-hidden="true" />}
          onClick={onRemove}
        />
      </span>
    </li>
  );
}
