import { imageLimits, imageMessages, imageTypes } from '@waybill/contract';

/** A file to upload, or the path of an image the package already has. */
export type ChosenImage = File | string;

/** Why a file was rejected, as a toast. */
interface Refusal {
  title: string;
  description: string;
}

const tooManyImages: Refusal = { title: 'Too many images', description: imageMessages.tooMany };

/** Adds files to those already chosen; leaves out wrong types, files over 10 MB and more than three images. */
export function addImages<C, F extends Pick<File, 'name' | 'type' | 'size'>>(
  chosen: readonly C[],
  added: readonly F[],
): { files: (C | F)[]; refusal: Refusal | null } {
  const files: (C | F)[] = [...chosen];
  const refusals: Refusal[] = [];
  let tooMany = false;
  for (const file of added) {
    const fault = faultOf(file);
    if (fault) refusals.push(fault);
    else if (files.length < imageLimits.count) files.push(file);
    else tooMany = true;
  }
  if (tooMany) refusals.push(tooManyImages);
  return { files, refusal: mergeRefusals(refusals) };
}

const maxNamed = 5;

/** Merges rejections: only one toast shows at a time. */
function mergeRefusals(refusals: readonly Refusal[]): Refusal | null {
  if (refusals.length === 0) return null;
  const named = refusals.slice(0, maxNamed).map(({ description }) => description);
  const more = refusals.length - named.length;
  return {
    title: [...new Set(refusals.map(({ title }) => title))].join(' · '),
    description: [...named, ...(more > 0 ? [`And ${more} more.`] : [])].join(' '),
  };
}

function faultOf({ name, type, size }: Pick<File, 'name' | 'type' | 'size'>): Refusal | null {
  if (!imageTypes.some((known) => known === type)) {
    return {
      title: 'Invalid file type',
      description: `${name} is not a valid image format. Only JPEG, PNG, GIF, and WebP are allowed.`,
    };
  }
  return size > imageLimits.bytes
    ? { title: 'File too large', description: `${name} exceeds the 10MB size limit.` }
    : null;
}
