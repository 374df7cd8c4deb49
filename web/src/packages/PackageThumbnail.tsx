import { Armchair, BookOpen, FileText, HeartPulse, Package, Plug, Puzzle, Shirt, UtensilsCrossed } from 'lucide-react';
import type { LucideIcon } from 'lucide-react';
import { useState } from 'react';
import { classes } from '../ui/classes.ts';

const icons: Record<string, LucideIcon> = {
  Electronics: Plug,
  Clothing: Shirt,
  Books: BookOpen,
  Furniture: Armchair,
  Food: UtensilsCrossed,
  Toys: Puzzle,
  Documents: FileText,
  Medical: HeartPulse,
};

/** `/media` serves a thumbnail with `size=thumbnail`; images of other origins are used as they are. */
function thumbnailOf(image: string): string {
  if (!image.startsWith('/media/')) return image;
  // Images of cancelled packages have a signed URL: append to its query.
  return `${image}${image.includes('?') ? '&' : '?'}size=thumbnail`;
}

interface PackageThumbnailProps {
  image: string | undefined;
  category: string;
  /** `row`: 32 px in a table, 40 px on a phone. */
  size?: 'row' | 'md';
}

/** The first image of a package; its category icon without one or when loading fails. Decorative (empty alt): the name is next to it. */
export function PackageThumbnail({ image, category, size = 'md' }: PackageThumbnailProps) {
  const [broken, setBroken] = useState<string>();
  const Icon = icons[category] ?? Package;
  return (
    <span
      className={classes(
        'flex shrink-0 items-center justify-center overflow-hidden rounded-control bg-ink/5 text-ink-3',
        size === 'row' ? 'size-8 max-md:size-10 [&_svg]:size-4.5' : 'size-14',
      )}
    >
      {image !== undefined && image !== broken ? (
        <img
          src={thumbnailOf(image)}
          alt=""
          loading="lazy"
          className="size-full object-cover"
          onError={() => setBroken(image)}
        />
      ) : (
        <Icon aria-hidden="true" strokeWidth={1.5} className="size-6" />
      )}
    </span>
  );
}
