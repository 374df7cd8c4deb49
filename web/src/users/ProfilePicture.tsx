import { UserRound } from 'lucide-react';

/** A user's picture, or a placeholder icon. Decorative: the name is shown beside it. */
export function ProfilePicture({ picture }: { picture: string | null }) {
  return (
    <span className="flex size-16 shrink-0 items-center justify-center overflow-hidden rounded-full bg-sunken text-ink-3">
      {picture ? (
        <img src={picture} alt="" className="size-full object-cover" />
      ) : (
        <UserRound aria-hidden="true" strokeWidth={1.5} className="size-7" />
      )}
    </span>
  );
}
