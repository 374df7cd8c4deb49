import { useEffect, useEffectEvent } from 'react';
import { receiveScans } from '../platform/keyboard-wedge.ts';
import { isModalOpen } from './keys.ts';

/** Gets what a hardware scanner reads on any page, unless a dialog is open or the page has a receiver of its own. */
export function HardwareScanner({ onScan }: { onScan: (text: string) => void }): null {
  const receive = useEffectEvent(onScan);
  useEffect(() => receiveScans((text) => receive(text), { isReady: () => !isModalOpen(), isLast: true }), []);
  return null;
}
