interface FailedAttemptPhotoProps {
  photo: string;
  alt: string;
}

/** What a driver found at the door; it opens in full size. */
export function FailedAttemptPhoto({ photo, alt }: FailedAttemptPhotoProps) {
  return (
    <a href={photo} target="_blank" rel="noreferrer" className="mt-2 block w-fit">
      <img
        src={photo}
        alt={alt}
        loading="lazy"
        className="h-24 max-w-full rounded-control border border-line object-cover"
      />
    </a>
  );
}
