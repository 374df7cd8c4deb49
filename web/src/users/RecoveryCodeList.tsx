import type { Texts } from '@waybill/contract/texts/en';
import { Button } from '../ui/Button.tsx';
import { CopyButton } from '../ui/CopyButton.tsx';

interface RecoveryCodeListProps {
  codes: readonly string[];
  onDone: () => void;
  words: Texts['account']['secondFactor'];
}

/** New recovery codes, which are shown only once. */
export function RecoveryCodeList({ codes, onDone, words }: RecoveryCodeListProps) {
  return (
    <div className="flex flex-col gap-4">
      <p className="text-ui text-ink-2">{words.keep}</p>
      <div className="flex items-start justify-between gap-2 rounded-card bg-sunken py-2 pr-2 pl-4">
        <ul aria-label={words.codes} className="code grid gap-y-1 py-2 text-ui whitespace-nowrap">
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ul>
        <CopyButton text={codes.join('\n')} label={words.copyCodes} />
      </div>
      <Button size="lg" onClick={onDone}>
        {words.kept}
      </Button>
    </div>
  );
}
