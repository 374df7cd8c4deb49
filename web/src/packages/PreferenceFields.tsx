import type { Package } from '@waybill/contract';
import { InstructionsField } from './InstructionsField.tsx';
import { WindowFields } from './WindowFields.tsx';

/** Time window and instructions. All optional. */
export function PreferenceFields({ window = null }: { window?: Package['window'] }) {
  return (
    <div className="flex flex-col gap-6">
      <WindowFields present={window} />
      <InstructionsField />
    </div>
  );
}
