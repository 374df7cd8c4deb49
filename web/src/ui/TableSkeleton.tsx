import { Skeleton } from './Skeleton.tsx';
import { SkeletonGroup } from './SkeletonGroup.tsx';
import { TableBox } from './TableBox.tsx';

const rows = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];

/** A table that loads, in the grid of its rows. */
export function TableSkeleton({ label, visible = false }: { label: string; visible?: boolean }) {
  return (
    <TableBox>
      <SkeletonGroup visible={visible} label={label}>
        <div className="mt-3 divide-y divide-line border-t border-line">
          {rows.map((row) => (
            <div key={row} className="flex h-17 items-center gap-4 px-4 md:h-10">
              <Skeleton width="w-8" height="h-8" />
              <span className="grow md:w-[30%] md:grow-0">
                <Skeleton width="w-3/5" />
              </span>
              <span className="w-[20%] max-md:hidden">
                <Skeleton width="w-3/5" />
              </span>
              <span className="md:mr-[16%] md:ml-auto">
                <Skeleton width="w-24" height="h-5" shape="round" />
              </span>
            </div>
          ))}
        </div>
      </SkeletonGroup>
    </TableBox>
  );
}
