import { classes } from './classes.ts';

export type DialogPlacement = 'center' | 'bottom';

export const dialogBackdropClasses =
  'fixed inset-0 min-h-dvh bg-scrim transition-opacity duration-180 data-ending-style:opacity-0 data-starting-style:opacity-0';

const widths = {
  sm: 'md:max-w-[25rem]',
  md: 'md:max-w-[32rem]',
  lg: 'md:max-w-[45rem]',
  xl: 'md:max-h-[92dvh]! md:max-w-[75rem]',
};

/** Buttons of a foot: 48 px on phones and 44 px from 768 px up, whichever of the two a dialog asks for. A driver's 56 px are for thumbs. */
export const dialogFootClasses =
  'flex flex-col-reverse gap-2 max-md:[&_.min-h-11]:min-h-12 max-md:[&_.min-h-11]:text-body md:flex-row md:justify-end ' +
  'md:[&_.min-h-12]:min-h-11 md:[&_.min-h-12]:px-4 md:[&_.min-h-12]:text-ui ' +
  'md:pointer-fine:[&_.min-h-14]:min-h-11 md:pointer-fine:[&_.min-h-14]:px-4 md:pointer-fine:[&_.min-h-14]:text-ui';

/** A bottom sheet on phones; from 768 px up centred, unless the placement is `bottom`. */
export function dialogPopupClasses(placement: DialogPlacement, size: keyof typeof widths): string {
  return classes(
    'fixed inset-x-0 bottom-0 z-50 flex max-h-[92dvh] flex-col rounded-t-sheet bg-surface text-ink shadow-float outline-none',
    'transition-[translate,opacity,scale] duration-240 ease-calm',
    'data-ending-style:translate-y-full data-starting-style:translate-y-full',
    placement === 'center'
      ? classes(
          'md:inset-x-auto md:bottom-auto md:top-1/2 md:left-1/2 md:max-h-[min(60rem,88dvh)] md:w-[calc(100vw-4rem)]',
          'md:-translate-1/2 md:rounded-sheet md:duration-180',
          'md:data-ending-style:-translate-1/2 md:data-starting-style:-translate-1/2',
          'md:data-ending-style:scale-[0.98] md:data-ending-style:opacity-0',
          'md:data-starting-style:scale-[0.98] md:data-starting-style:opacity-0',
        )
      : 'mx-auto',
    widths[size],
  );
}
