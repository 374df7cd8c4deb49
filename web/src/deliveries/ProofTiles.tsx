import { useQuery } from '@tanstack/react-query';
import { QueryError } from '../ui/QueryError.tsx';
import { Skeleton } from '../ui/Skeleton.tsx';
import { receiptQuery } from './queries.ts';

/** Signature and photo of a delivered package side by side, with who took it. */
export function ProofTiles({ packageId }: { packageId: string }) {
  const query = useQuery(receiptQuery(packageId));
  if (query.isPending) return <Skeleton height="h-24" />;
  if (!query.data) return <QueryError query={query} />;
  const { proof } = query.data;
  return (
    <>
      {proof.receivedBy && (
        <p className="text-ui">
          <span className="text-ink-2">Received by</span> {proof.receivedBy}
        </p>
      )}
      <div className="mt-2 flex gap-3 empty:hidden">
        {proof.signature && (
          <span className="h-24 min-w-0 flex-1 md:h-36">
            <img
              src={proof.signature}
              alt="Signature"
              className="size-full rounded-control border border-line bg-paper object-contain"
            />
          </span>
        )}
        {proof.photo && (
          <img
            src={proof.photo}
            alt="Delivered package"
            className="h-24 min-w-0 flex-1 md:h-36 rounded-control border border-line object-cover object-[50%_80%]"
          />
        )}
      </div>
    </>
  );
}
