import { ImageOff } from 'lucide-react';
import { useState } from 'react';

/** One image; a placeholder when it cannot be loaded. */
export function PackageImage({ image, alt }: { image: string; alt: string }) {
  const [broken, setBroken] = useState(false);
  const box =
    'flex aspect-square w-full shrink-0 snap-center items-center justify-center rounded-card bg-sunken object-cover text-ink-3';
  if (!broken) return <img src={image} alt={alt} className={box} onError={() => setBroken(true)} />;
  return (
    <span role="img" aria-label={alt} className={box}>
      <ImageOff aria-hidden="true" strokeWidth={1.5} className="size-8" />
    </span>
  );
}
