import { LabelSize } from '@waybill/contract';
import { localStorageItem } from '../platform/local-storage.ts';
import { createStore, useStore } from '../platform/store.ts';

const stored = localStorageItem('labelSize');
const size = createStore<LabelSize>(LabelSize.safeParse(stored.read()).data ?? 'label');

/** The size that was chosen last, in this browser: it belongs to the printer. */
export const useLabelSize = () => useStore(size);
export const getLabelSize = size.get;

export function chooseLabelSize(chosen: LabelSize): void {
  stored.write(chosen);
  size.set(chosen);
}

export const sizeNames: Record<LabelSize, string> = { label: '100 × 150 mm', a4: 'A4, four on a sheet' };
