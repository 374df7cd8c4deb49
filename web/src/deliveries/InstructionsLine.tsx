import { MessageSquareText } from 'lucide-react';
import { useState } from 'react';
import { DeliveryLine } from './DeliveryLine.tsx';

/**
 * What the owner asks for. What it was before stays beside it as long as the screen does, for whoever had read that: a driver has no history
 * of a package.
 */
export function InstructionsLine({ instructions }: { instructions: string | null }) {
  const [shown, setShown] = useState(instructions);
  const [before, setBefore] = useState<string | null>(null);
  if (instructions !== shown) {
    setBefore(shown);
    setShown(instructions);
  }
  if (instructions === null && before === null) return null;
  return (
    <DeliveryLine icon={<MessageSquareText />} name="Instructions">
      <span className="whitespace-pre-line">{instructions ?? 'None any more'}</span>
      {before !== null && <span className="block whitespace-pre-line text-ink-3">Before: {before}</span>}
    </DeliveryLine>
  );
}
