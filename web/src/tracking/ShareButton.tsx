import { fill } from '@waybill/contract';
import type { PublicView } from '@waybill/contract';
import { Check, Share2 } from 'lucide-react';
import { useEffect, useState } from 'react';
import { hasShareSheet } from '../packages/share.ts';
import { writeToClipboard } from '../platform/clipboard.ts';
import { texts } from '../platform/texts.ts';
import { Button } from '../ui/Button.tsx';

/** Opens the share sheet of the device; where there is none, or it fails, copies the link and says so for 2 s. */
export function ShareButton({ view: { name, trackingId } }: { view: PublicView }) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), 2000);
    return () => clearTimeout(timer);
  }, [copied]);
  const share = async () => {
    const url = `${location.origin}/track/${trackingId}`;
    if (hasShareSheet()) {
      try {
        await navigator.share({ title: name, text: fill(texts.track.shareText, { name }), url });
        return;
      } catch (error) {
        if (error instanceof DOMException && error.name === 'AbortError') return;
      }
    }
    setCopied(await writeToClipboard(url));
  };
  const Icon = copied ? Check : Share2;
  return (
    <span className="grow noscript:hidden">
      <Button
        variant="secondary"
        size="lg"
        fullWidth
        icon={<Icon aria-hidden="true" className="size-5" />}
        onClick={() => void share()}
      >
        {copied ? texts.track.linkCopied : texts.track.share}
      </Button>
      <span role="status" className="sr-only">
        {copied ? texts.track.linkCopied : ''}
      </span>
    </span>
  );
}
