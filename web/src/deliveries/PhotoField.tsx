import { imageTypes } from '@waybill/contract';
import type { Texts } from '@waybill/contract/texts/en';
import { Camera } from 'lucide-react';
import { addImages } from '../packages/image-choice.ts';
import { texts as shell } from '../platform/texts.ts';
import { toast } from '../platform/toasts.ts';
import { ImagePreview } from '../ui/ImagePreview.tsx';

interface PhotoFieldProps {
  photo: File | null;
  onChange: (photo: File | null) => void;
  /** On a page in other languages. */
  words?: Pick<Texts['driver'], 'photo' | 'addPhoto'>;
}

const english = { photo: 'Photo', addPhoto: 'Add photo' };

/** One photo, from the camera where there is one. */
export function PhotoField({ photo, onChange, words = english }: PhotoFieldProps) {
  const take = (list: FileList | null) => {
    const { files, refusal } = addImages([], [...(list ?? [])]);
    if (refusal) toast({ ...refusal, variant: 'destructive' });
    if (files[0]) onChange(files[0]);
  };
  return (
    <div className="flex flex-col gap-1.5">
      <span className="text-ui font-medium text-ink">
        {words.photo}
        <span className="font-normal text-ink-3"> {shell.optional}</span>
      </span>
      {photo ? (
        <ul className="max-w-48 [&_img]:aspect-auto [&_img]:h-[8.875rem]">
          <ImagePreview file={photo} onRemove={() => onChange(null)} />
        </ul>
      ) : (
        <label className="relative flex min-h-36 flex-col items-center justify-center gap-2 rounded-control border border-dashed border-control px-3 text-center text-ui text-ink-2 transition-colors hover:border-ink-3 hover:text-ink has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus">
          <Camera aria-hidden="true" className="size-7" strokeWidth={1.5} />
          {words.addPhoto}
          <input
            type="file"
            accept={imageTypes.join()}
            capture="environment"
            className="absolute inset-0 cursor-pointer opacity-0"
            onChange={(event) => take(event.target.files)}
          />
        </label>
      )}
    </div>
  );
}
