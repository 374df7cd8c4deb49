import { Dialog as BaseDialog } from '@base-ui/react/dialog';
import { X } from 'lucide-react';
import { useEffect, useEffectEvent, useRef } from 'react';
import type { ReactNode } from 'react';
import { useMediaQuery } from '../platform/media-query.ts';
import { IconButton } from './IconButton.tsx';
import { drawDown } from './start-drag.ts';

interface SidePanelProps {
  /** The accessible name: 'Espresso machine'. */
  label: string;
  /** Left in its head, and right before the button that closes it. */
  head: ReactNode;
  tools: ReactNode;
  /** Buttons that stay visible at its end. */
  footer?: ReactNode;
  onClose: () => void;
  children: ReactNode;
}

/**
 * What is open in a list. From 1024 px a panel of 480 px beside the list, which stays usable; below a sheet over the whole window, which
 * can be drawn down on phones. Escape closes both.
 */
export function SidePanel({ label, head, tools, footer, onClose, children }: SidePanelProps) {
  const isWide = useMediaQuery('(width >= 64rem)');
  const sheet = useRef<HTMLDivElement>(null);
  const close = useEffectEvent(onClose);
  useEffect(() => {
    if (!isWide) return;
    const closeOnEscape = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented) return;
      // Escape belongs to whatever is open above, or to the field that it clears.
      const above = document.querySelector('[role=dialog], [role=alertdialog], [popover]:popover-open');
      const isTyping = event.target instanceof Element && event.target.closest('input:not([type=checkbox]), textarea');
      if (!above && !isTyping) close();
    };
    // While capturing: a menu closes itself before the event bubbles.
    addEventListener('keydown', closeOnEscape, true);
    return () => removeEventListener('keydown', closeOnEscape, true);
  }, [isWide]);

  const closeByHand = () => {
    onClose();
    return true;
  };
  const bar = (closeButton: ReactNode) => (
    <div
      className="relative flex min-h-13 shrink-0 items-center gap-1 border-b border-line pr-2 pl-5 max-md:touch-none"
      onPointerDown={(event) => drawDown(event, sheet.current, closeByHand)}
    >
      <span
        aria-hidden="true"
        className="absolute top-1 left-1/2 h-1 w-9 -translate-x-1/2 rounded-full bg-line md:hidden"
      />
      <div className="min-w-0 grow">{head}</div>
      {tools}
      {closeButton}
    </div>
  );
  const rest = (
    <>
      <div className="min-h-0 grow overflow-y-auto overscroll-contain">{children}</div>
      {footer && (
        <div className="flex shrink-0 gap-2 border-t border-line px-5 pt-3 pb-[max(0.75rem,env(safe-area-inset-bottom))]">
          {footer}
        </div>
      )}
    </>
  );
  if (isWide) {
    return (
      <aside
        aria-label={label}
        className="sticky top-(--frame-top,4rem) flex h-[calc(100dvh-var(--frame-top,4rem))] flex-col self-start border-l border-line bg-surface transition-[opacity,translate] duration-240 ease-calm print:hidden starting:translate-x-6 starting:opacity-0"
      >
        {bar(
          <IconButton
            size="sm"
            label="Close panel"
            aria-keyshortcuts="Escape"
            icon={<X aria-hidden="true" />}
            onClick={onClose}
          />,
        )}
        {rest}
      </aside>
    );
  }
  return (
    <BaseDialog.Root open onOpenChange={(open) => !open && onClose()}>
      <BaseDialog.Portal>
        <BaseDialog.Popup
          ref={sheet}
          aria-label={label}
          className="fixed inset-0 z-40 flex flex-col bg-surface text-ink outline-none transition-[opacity,translate] duration-240 ease-calm data-starting-style:translate-y-6 data-starting-style:opacity-0"
        >
          {bar(<BaseDialog.Close render={<IconButton label="Close panel" icon={<X aria-hidden="true" />} />} />)}
          {rest}
        </BaseDialog.Popup>
      </BaseDialog.Portal>
    </BaseDialog.Root>
  );
}
