import { fill } from '@waybill/contract';
import { texts } from './texts.ts';
import type { Delivery } from '@waybill/contract';
import { MessageSquareText } from 'lucide-react';
import { DeliveryLine } from './DeliveryLine.tsx';

/** The owner's instructions, with the previous ones if they changed on the road: the driver may have read those. */
export function InstructionsLine({
  delivery: { instructions, instructionsBefore },
}: {
  delivery: Pick<Delivery, 'instructions' | 'instructionsBefore'>;
}) {
  if (instructions === null && instructionsBefore === undefined) return null;
  return (
    <DeliveryLine icon={<MessageSquareText />} name={texts.names.instructions}>
      <span className="whitespace-pre-line">{instructions ?? texts.noInstructions}</span>
      {instructionsBefore !== undefined && (
        <span className="block whitespace-pre-line text-ink-3">
          {fill(texts.instructionsBefore, { before: instructionsBefore })}
        </span>
      )}
    </DeliveryLine>
  );
}
