import { classes } from '../ui/classes.ts';

/** A house number on an enamel plate, as on the wall: read at three metres. */
export function HouseNumber({ children }: { children: string }) {
  return (
    <span className="plate inline-flex shrink-0 rounded-card bg-plate p-1 text-on-plate">
      <span
        className={classes(
          'flex min-h-[5.5rem] min-w-[5.75rem] items-center justify-center rounded-control border-2 border-current px-2.5 font-semibold tracking-tight figures',
          children.length > 4
            ? 'text-[2.25rem]/[1]'
            : children.length > 2
              ? 'text-[2.75rem]/[1]'
              : 'text-[3.75rem]/[1]',
        )}
      >
        {children}
      </span>
    </span>
  );
}
