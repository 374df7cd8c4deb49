import { ImageOff } from 'lucide-react';
import { PackageImage } from './PackageImage.tsx';

/** The pictures of a package, to swipe through or to go through with the arrow keys. */
export function PackageImages({ images, name }: { images: readonly string[]; name: string }) {
  if (images.length === 0) {
    return (
      <div className="flex h-40 flex-col items-center justify-center gap-2 rounded-card border border-dashed border-control/50 text-ink-3">
        <ImageOff aria-hidden="true" strokeWidth={1.5} className="size-7" />
        <p className="text-ui">No images for this package</p>
      </div>
    );
  }
  return (
    // The browser's own scrolling; focusable, so that keys reach it too.
    <section
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      aria-label={`Images of ${name}`}
      className="flex snap-x snap-mandatory gap-3 overflow-x-auto rounded-card"
    >
      {images.map((image, index) => (
        <PackageImage key={image} image={image} alt={`${name}, ${index + 1} of ${images.length}`} />
      ))}
    </section>
  );
}
