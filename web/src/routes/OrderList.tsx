import { fill } from '@waybill/contract';
import type { Route } from '@waybill/contract';
import { ArrowDown, ArrowUp, GripVertical } from 'lucide-react';
import { useRef, useState } from 'react';
import { toast } from '../platform/toasts.ts';
import { Button } from '../ui/Button.tsx';
import { classes } from '../ui/classes.ts';
import { IconButton } from '../ui/IconButton.tsx';
import { mergedOrder, moved } from './stop-order.ts';
import { openStops, useSaveOrder } from './rounds.ts';
import { RoundFault } from './RoundFault.tsx';
import { texts } from './round-texts.ts';
import { nameOf } from './TickList.tsx';
import { useDragOrder } from './useDragOrder.ts';

/** Changes the order of the open stops by dragging, or with buttons. What comes meanwhile is at the end; what is gone is left out. */
export function OrderList({ route, onDone }: { route: Route; onDone: () => void }) {
  const open = openStops(route);
  const ids = open.map(({ packageId }) => packageId);
  const [wanted, setWanted] = useState(ids);
  // The version that the driver saw when they began: a change by somebody else is noticed.
  const [version] = useState(route.version);
  const order = mergedOrder(wanted, ids);
  const save = useSaveOrder(route.id);
  const { list, dragged, handleOf } = useDragOrder(order, setWanted);
  const buttons = useRef(new Map<string, HTMLElement>());

  const shift = (id: string, by: number) => {
    const to = order.indexOf(id) + by;
    if (to < 0 || to >= order.length) return;
    setWanted(moved(order, id, to));
    // The row is another one in the DOM: keep the focus on the button that was pressed.
    requestAnimationFrame(() => buttons.current.get(`${id} ${by}`)?.querySelector('button')?.focus());
  };
  const submit = () =>
    save.mutate(
      { order, version },
      {
        onSuccess: ({ merged }) => {
          toast({ title: merged ? texts.orderMerged : texts.orderSaved });
          onDone();
        },
      },
    );
  return (
    <div className="flex flex-col gap-3">
      <p className="text-ui text-ink-2">{texts.orderHint}</p>
      <ol
        ref={list}
        aria-label={texts.changeOrder}
        className="divide-y divide-line rounded-card border border-line bg-surface"
      >
        {order.map((id, index) => {
          const stop = open.find(({ packageId }) => packageId === id);
          if (!stop) return null;
          const name = nameOf(stop);
          return (
            <li
              key={id}
              className={classes(
                'flex min-h-17 items-center gap-1 pr-1',
                dragged === id && 'relative z-10 bg-brand-soft shadow-float',
              )}
            >
              <span
                aria-hidden="true"
                title={fill(texts.drag, { name })}
                data-handle={id}
                {...handleOf(id)}
                className="flex size-12 shrink-0 cursor-grab touch-none items-center justify-center text-ink-2 active:cursor-grabbing"
              >
                <GripVertical className="size-5" />
              </span>
              <span className="w-6 shrink-0 text-ui font-semibold text-ink-2 figures">{index + 1}</span>
              <span className="min-w-0 grow select-none">
                <span className="block text-[1.0625rem]/[1.375rem] font-semibold wrap-anywhere">{name}</span>
                <span className="block text-ui text-ink-2 wrap-anywhere">{stop.delivery.recipientName}</span>
              </span>
              {(
                [
                  [-1, texts.up, <ArrowUp key="up" aria-hidden="true" />],
                  [1, texts.down, <ArrowDown key="down" aria-hidden="true" />],
                ] as const
              ).map(([by, label, icon]) => (
                <span
                  key={by}
                  ref={(element) => {
                    if (element) buttons.current.set(`${id} ${by}`, element);
                    else buttons.current.delete(`${id} ${by}`);
                  }}
                >
                  <IconButton
                    label={fill(label, { name })}
                    icon={icon}
                    disabled={by < 0 ? index === 0 : index === order.length - 1}
                    onClick={() => shift(id, by)}
                  />
                </span>
              ))}
            </li>
          );
        })}
      </ol>
      <div className="round-acts">
        <RoundFault error={save.error} />
        <div className="flex flex-wrap gap-2 *:grow">
          <Button variant="secondary" size="xl" onClick={onDone}>
            {texts.cancel}
          </Button>
          <Button size="xl" loading={save.isPending} loadingText={texts.saving} onClick={submit}>
            {texts.saveOrder}
          </Button>
        </div>
      </div>
    </div>
  );
}
