import { useInfiniteQuery } from '@tanstack/react-query';
import type { Package } from '@waybill/contract';
import { TriangleAlert } from 'lucide-react';
import { packageEventsQuery } from './queries.ts';
import { unreachableOf, type RecipientAddress } from './unreachable.ts';

interface UnreachableNoteProps {
  pkg: Package;
  addresses: readonly RecipientAddress[];
}

/** Says beside an address of the recipient that it does not work, as the history of the package has it. */
export function UnreachableNote({ pkg, addresses }: UnreachableNoteProps) {
  const { data } = useInfiniteQuery(packageEventsQuery(pkg.id));
  const found = unreachableOf(data?.pages.flatMap((page) => page.items) ?? []);
  if (!addresses.some((address) => pkg[address] !== null && found.has(address))) return null;
  return (
    <span className="mt-0.5 flex items-center gap-1.5 text-table font-normal text-danger">
      <TriangleAlert aria-hidden="true" className="size-4 shrink-0" />
      Messages to it come back
    </span>
  );
}
