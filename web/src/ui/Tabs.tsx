import { Tabs as BaseTabs } from '@base-ui/react/tabs';
import type { ReactNode } from 'react';
import { formatCount } from '../platform/formats.ts';
import { tellHiddenEnds } from './scrollable.ts';

export interface TabItem<V extends string> {
  value: V;
  label: string;
  /** Shown after the label; omit while unknown. */
  count?: number;
  icon?: ReactNode;
}

interface TabsProps<V extends string> {
  /** The accessible name of the tab list. */
  label: string;
  items: readonly TabItem<V>[];
  value: V;
  onValueChange: (value: V) => void;
  /** The panel of the selected tab. */
  children: ReactNode;
}

/** Scrolls the selected tab into view within its row, without scrolling the page, and again when the row's width changes. */
function scrollIntoRow(tab: HTMLElement | null) {
  const row = tab?.parentElement?.parentElement;
  if (!tab || !row) return;
  const scroll = () => {
    row.scrollLeft = tab.offsetLeft - (row.clientWidth - tab.offsetWidth) / 2;
  };
  scroll();
  const sizes = new ResizeObserver(scroll);
  sizes.observe(row);
  return () => sizes.disconnect();
}

/**
 * Tabs with arrow keys. On phones they share the width of the row; if they do not fit, the row scrolls sideways, and fades where it goes on.
 */
export function Tabs<V extends string>({ label, items, value, onValueChange, children }: TabsProps<V>) {
  return (
    <BaseTabs.Root
      value={value}
      onValueChange={(next) => {
        const item = items.find((candidate) => candidate.value === next);
        if (item) onValueChange(item.value);
      }}
    >
      <div ref={tellHiddenEnds} className="fading-ends overflow-x-auto [scrollbar-width:none]">
        <BaseTabs.List aria-label={label} className="relative flex min-w-max gap-1 border-b border-line">
          {items.map((item) => (
            <BaseTabs.Tab
              key={item.value}
              value={item.value}
              ref={item.value === value ? scrollIntoRow : undefined}
              className="flex min-h-11 items-center justify-center gap-2 rounded-control px-3 text-ui font-medium text-ink-2 max-sm:grow max-sm:px-2 whitespace-nowrap transition-colors hover:text-ink focus-visible:-outline-offset-2 data-active:text-ink [&_svg]:size-4 [&_svg]:shrink-0"
            >
              {item.icon}
              {item.label}
              {item.count !== undefined && (
                <span className="figures rounded-full bg-sunken px-2 py-px text-meta text-ink-2">
                  {formatCount(item.count)}
                </span>
              )}
            </BaseTabs.Tab>
          ))}
          <BaseTabs.Indicator className="absolute bottom-[-1px] left-0 h-0.5 w-(--active-tab-width) translate-x-(--active-tab-left) bg-brand transition-[translate,width] duration-180 ease-calm" />
        </BaseTabs.List>
      </div>
      <BaseTabs.Panel value={value} className="rounded-card pt-4">
        {children}
      </BaseTabs.Panel>
    </BaseTabs.Root>
  );
}
