import { imageLimits, imageMessages, imageTypes } from '@waybill/contract';

/** A file, or the address of what the package has already. */
export type ChosenImage = File | string;

/** A file that was not taken, in the words of the toast that says so. */
interface Refusal {
  title: string;
  description: string;
}

export const tooManyImages: Refusal = { title: 'Too many images', description: imageMessages.tooMany };

/** Adds files to those chosen before: what is no image or too large is left out, and so is what is too many. */
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
  return { files, refusal: asOne(refusals) };
}

const maxNamed = 5;

/** One toast shows at a time, so what was refused together is told together. */
function asOne(refusals: readonly Refusal[]): Refusal | null {
  if (refusals.length === 0) return null;
  const told = refusals.slice(0, maxNamed).map(({ description }) => description);
  const more = refusals.length - told.length;
  return {
    title: [...new Set(refusals.map(({ title }) => title))].join(' · '),
    description: [...told, ...(more > 0 ? [`And ${more} more.`] : [])].join(' '),
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
