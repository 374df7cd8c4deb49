// Hardware scanners act as keyboards: they type what a code says within milliseconds, and press Enter.
import { useEffect, useEffectEvent } from 'react';

/** Scanners take 1 to 30 ms a key. The fastest typists take 80, but for two keys that they roll over. */
const maxGapMs = 50;
/** Nobody rolls over as many keys as this. */
const minLength = 8;

/** Where keys are text, and belong to the field. */
const fields =
  'textarea, select, [contenteditable], [role=menu], [role=listbox], input:not([type=checkbox], [type=radio], [type=button], [type=submit])';

interface Receiver {
  receive: (text: string) => unknown;
  /** False while keys are for something else. */
  isReady: () => boolean;
}

/** The last one gets the scans: a dialog before its page. */
const receivers: Receiver[] = [];

/** Keys of what may become a scan, kept from shortcuts and focused buttons until it is clear that it is none. */
let held: KeyboardEvent[] = [];
let burst = { text: '', at: 0 };
let timer: ReturnType<typeof setTimeout> | undefined;
let isReplaying = false;

/**
 * @param isLast whether all others come before this one, later ones too
 * @returns a function that ends receiving
 */
export function receiveScans(
  receive: Receiver['receive'],
  { isReady = () => true, isLast = false }: { isReady?: Receiver['isReady']; isLast?: boolean } = {},
): () => void {
  const receiver = { receive, isReady };
  // Before all other listeners, so that keys can be held.
  if (receivers.length === 0) addEventListener('keydown', onKey, { capture: true });
  if (isLast) receivers.unshift(receiver);
  else receivers.push(receiver);
  return () => {
    receivers.splice(receivers.indexOf(receiver), 1);
    if (receivers.length === 0) removeEventListener('keydown', onKey, { capture: true });
  };
}

/** Gets what a hardware scanner reads while the component is mounted and no field has the focus, before earlier receivers. */
export function useHardwareScanner(onScan: Receiver['receive']): void {
  const receive = useEffectEvent(onScan);
  useEffect(() => receiveScans((text) => receive(text)), []);
}

function onKey(event: KeyboardEvent): void {
  if (isReplaying) return;
  // Capital letters come with this one.
  if (event.key === 'Shift') return;
  const inTime = burst.text !== '' && event.timeStamp - burst.at <= maxGapMs;
  if (event.key === 'Enter' && inTime && burst.text.length >= minLength) {
    const { text } = burst;
    stop(event);
    held = [];
    reset();
    receivers.at(-1)?.receive(text);
    return;
  }
  const isPart = event.key.length === 1 && !(event.ctrlKey || event.metaKey || event.altKey || event.repeat);
  const isField = event.target instanceof Element && event.target.closest(fields) !== null;
  if (!isPart || isField || event.isComposing || !receivers.at(-1)?.isReady()) {
    reset();
    replay();
    return;
  }
  burst = { text: inTime ? burst.text + event.key : event.key, at: event.timeStamp };
  // The first key goes through at once: single keys are never late.
  if (!inTime) return replay();
  stop(event);
  held.push(event);
  clearTimeout(timer);
  timer = setTimeout(replay, maxGapMs);
}

function stop(event: KeyboardEvent): void {
  event.preventDefault();
  event.stopImmediatePropagation();
}

function reset(): void {
  clearTimeout(timer);
  burst = { text: '', at: 0 };
}

/** It was a person: their keys do what they would have done. */
function replay(): void {
  const keys = held;
  held = [];
  isReplaying = true;
  for (const { target, key, code, shiftKey } of keys)
    target?.dispatchEvent(new KeyboardEvent('keydown', { key, code, shiftKey, bubbles: true, cancelable: true }));
  isReplaying = false;
}
