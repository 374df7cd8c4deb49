import { ChevronLeft, ChevronRight, ImageOff } from 'lucide-react';
import { useRef, useState } from 'react';
import type { KeyboardEvent } from 'react';
import { IconButton } from '../ui/IconButton.tsx';
import { PackageImage } from './PackageImage.tsx';

/** Image carousel: swipe, buttons or arrow keys. */
export function PackageImages({ images, name }: { images: readonly string[]; name: string }) {
  const strip = useRef<HTMLDivElement>(null);
  const [at, setAt] = useState(0);
  if (images.length === 0) {
    return (
      <div className="flex h-40 flex-col items-center justify-center gap-2 rounded-card border border-dashed border-control/50 text-ink-3">
        <ImageOff aria-hidden="true" strokeWidth={1.5} className="size-7" />
        <p className="text-ui">No images for this package</p>
      </div>
    );
  }
  const several = images.length > 1;
  const show = (index: number) => {
    const box = strip.current;
    // Wrap around: a button disabled at the end would lose the focus.
    box?.scrollTo({ left: ((index + images.length) % images.length) * box.clientWidth });
  };
  const moveByKey = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    show(at + step);
  };
  return (
    <section aria-label={`Images of ${name}`} aria-roledescription="carousel" className="relative">
      {/* Native scroll snapping; focusable, so that arrow keys work. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
      <div
        ref={strip}
        role="group"
        aria-label="Images"
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={several ? 0 : undefined}
        onKeyDown={moveByKey}
        onScroll={({ currentTarget: { scrollLeft, clientWidth } }) => setAt(Math.round(scrollLeft / clientWidth))}
        className="flex snap-x snap-mandatory overflow-x-auto rounded-card [scrollbar-width:none] motion-safe:scroll-smooth"
      >
        {images.map((image, index) => (
          <PackageImage key={image} image={image} alt={`${name}, ${index + 1} of ${images.length}`} />
        ))}
      </div>
      {several && (
        <div className="mt-2 flex items-center justify-center gap-2 print:hidden">
          <IconButton label="Previous image" icon={<ChevronLeft aria-hidden="true" />} onClick={() => show(at - 1)} />
          <span role="status" className="figures text-ui text-ink-2">
            {at + 1} of {images.length}
          </span>
          <IconButton label="Next image" icon={<ChevronRight aria-hidden="true" />} onClick={() => show(at + 1)} />
        </div>
      )}
    </section>
  );
}
