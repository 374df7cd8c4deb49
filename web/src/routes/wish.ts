import { fill } from '@waybill/contract';
import type { Stop } from '@waybill/contract';
import { formatTime } from '../platform/formats.ts';
import { texts } from './round-texts.ts';

/** The recipient's wish, where the driver is not sure to keep it: 'wish till 15:15'. */
export function wishText({ arrivalWindow, delivery: { window } }: Pick<Stop, 'arrivalWindow' | 'delivery'>) {
  if (!window || !arrivalWindow) return null;
  if (arrivalWindow.to > window.to) return fill(texts.wishTill, { time: formatTime(window.to) });
  if (arrivalWindow.from < window.from) return fill(texts.wishFrom, { time: formatTime(window.from) });
  return null;
}
