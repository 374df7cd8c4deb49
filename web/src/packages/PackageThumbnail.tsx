import { Armchair, BookOpen, FileText, HeartPulse, Package, Plug, Puzzle, Shirt, UtensilsCrossed } from 'lucide-react';
import type { LucideIcon } from 'lucide-react';
import { useState } from 'react';

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

/** Our own store answers a small one at the same address; of others the picture itself has to do. */
function thumbnailOf(image: string): string {
  if (!image.startsWith('/media/')) return image;
  // Behind a signature where the package was cancelled.
  return `${image}${image.includes('?') ? '&' : '?'}size=thumbnail`;
}

/** The first picture of a package; without one, or when it cannot be loaded, a drawing of its kind. Decoration: the name stands beside it. */
export function PackageThumbnail({ image, category }: { image: string | undefined; category: string }) {
  const [broken, setBroken] = useState<string>();
  const Icon = icons[category] ?? Package;
  return (
    <span className="flex size-14 shrink-0 items-center justify-center overflow-hidden rounded-control bg-sunken text-ink-3">
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
