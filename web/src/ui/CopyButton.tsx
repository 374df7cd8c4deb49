import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { writeToClipboard } from '../platform/clipboard.ts';
import { IconButton } from './IconButton.tsx';

interface CopyButtonProps {
  text: string;
  label?: string;
  copiedLabel?: string;
}

/** Copies a text and confirms it for 2 s, by its icon and in a live region. */
export function CopyButton({ text, label = 'Copy', copiedLabel = 'Copied' }: CopyButtonProps) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), 2000);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = () => void writeToClipboard(text).then(setCopied);
  return (
    <>
      <IconButton
        size="sm"
        label={copied ? copiedLabel : label}
        icon={
          copied ? (
            <Check aria-hidden="true" className="size-4! text-green-dot" />
          ) : (
            <Copy aria-hidden="true" className="size-4!" />
          )
        }
        onClick={copy}
      />
      <span role="status" className="sr-only">
        {copied ? copiedLabel : ''}
      </span>
    </>
  );
}
