import { imageLimits, imageTypes } from '@waybill/contract';
import { ImagePlus } from 'lucide-react';
import { useId } from 'react';
import { toast } from '../platform/toasts.ts';
import { addImages } from './image-choice.ts';
import type { ChosenImage } from './image-choice.ts';
import { ImagePreview } from '../ui/ImagePreview.tsx';

interface ImageFieldsProps {
  files: readonly ChosenImage[];
  onChange: (files: ChosenImage[]) => void;
}

const keys = new WeakMap<File, string>();
let lastKey = 0;
/** React key per file: the same image may be chosen twice, so its name is not unique. */
function keyOf(file: ChosenImage): string {
  if (typeof file === 'string') return file;
  const key = keys.get(file) ?? `image ${++lastKey}`;
  keys.set(file, key);
  return key;
}

export const imageRules = 'What the package looks like. JPEG, PNG, GIF or WebP, at most 10MB each.';

/** '1/3 images' */
export const imageCount = (files: readonly ChosenImage[]): string => `${files.length}/${imageLimits.count} images`;

/** Up to three images, chosen or dropped, each with a preview; with three no more are offered. */
export function ImageFields({ files, onChange }: ImageFieldsProps) {
  const inputId = useId();
  const add = (list: FileList | null) => {
    const { files: next, refusal } = addImages(files, [...(list ?? [])]);
    if (refusal) toast({ ...refusal, variant: 'destructive' });
    if (next.length > files.length) onChange(next);
  };
  return (
    <div className="flex flex-col gap-3">
      <p className="text-ui text-ink-2">{imageRules}</p>
      <ul className="grid grid-cols-3 gap-3">
        {files.map((file, index) => (
          <ImagePreview
            key={keyOf(file)}
            file={file}
            place={index + 1}
            onRemove={() => onChange(files.filter((kept) => kept !== file))}
          />
        ))}
        {files.length < imageLimits.count && (
          <li>
            <label
              htmlFor={inputId}
              className="relative flex aspect-[4/3] flex-col items-center justify-center gap-2 rounded-card border border-dashed border-control px-1 text-center text-ui text-ink-2 transition-colors hover:border-ink-3 hover:text-ink has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus"
            >
              <ImagePlus aria-hidden="true" strokeWidth={1.5} className="size-7" />
              Add images
              {/* Covers the label, so that images can also be dropped on it. */}
              <input
                id={inputId}
                type="file"
                multiple
                accept={imageTypes.join()}
                className="absolute inset-0 cursor-pointer opacity-0"
                onChange={(event) => {
                  add(event.target.files);
                  // Reset, so that choosing the same file again fires a change event.
                  event.target.value = '';
                }}
              />
            </label>
          </li>
        )}
      </ul>
    </div>
  );
}
