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
      <span className="absolute top-1.5 right-1.5 rounded-control bg-surface shadow-float">
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
