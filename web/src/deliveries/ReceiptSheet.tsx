import type { Receipt } from '@waybill/contract';
import type { ReactNode } from 'react';
import { formatDimensions } from '../packages/formats.ts';
import { wordsOfHandling } from '../packages/handling.ts';
import { TrackingId } from '../packages/TrackingId.tsx';
import { formatDay, formatWeight } from '../platform/formats.ts';
import { Fact } from '../ui/Fact.tsx';
import { LocalTime } from '../ui/LocalTime.tsx';

/** What was delivered to whom, by whom and when, with what proves it; one page of paper. */
export function ReceiptSheet({ receipt }: { receipt: Receipt }) {
  const { proof } = receipt;
  const handling = wordsOfHandling(receipt.handling);
  return (
    <article className="rounded-card border border-line bg-surface p-6 sm:p-9 print:border-0 print:p-0">
      <header className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3 border-b border-line pb-6 print:pb-4">
        <div>
          <h1 className="text-title font-semibold">Delivery Receipt</h1>
          <p className="code mt-1 text-ui text-ink-2">{receipt.number}</p>
        </div>
        <div className="sm:text-right">
          <p className="text-ui text-ink-3">Delivered</p>
          <p className="text-body font-semibold">
            <LocalTime value={receipt.completedAt} />
          </p>
          {receipt.onTime !== null && (
            <p className="text-ui text-ink-2">{receipt.onTime ? 'On time' : 'After the estimated arrival'}</p>
          )}
        </div>
      </header>
      <Part title="Package">
        <Fact name="Tracking ID">
          <TrackingId id={receipt.trackingId} />
        </Fact>
        <Fact name="Name">{receipt.packageName}</Fact>
        <Fact name="Category">{receipt.category}</Fact>
        <Fact name="Weight">{formatWeight(receipt.weight)}</Fact>
        {receipt.dimensions && <Fact name="Dimensions (W × H × L)">{formatDimensions(receipt.dimensions)}</Fact>}
        {handling.length > 0 && <Fact name="Special Handling">{handling.join(', ')}</Fact>}
      </Part>
      <Part title="From and to">
        <Fact name="Sender">{receipt.sender ?? 'Account deleted'}</Fact>
        <Fact name="Recipient">{receipt.recipientName}</Fact>
        {receipt.recipientAddress && <Fact name="Delivery Address">{receipt.recipientAddress}</Fact>}
        <Fact name="Recipient Contact">{receipt.recipientContact ?? 'Not specified'}</Fact>
      </Part>
      <Part title="Delivery">
        <Fact name="Driver">{receipt.driver ?? 'Account deleted'}</Fact>
        <Fact name="Attempts">{receipt.attempts}</Fact>
        <Fact name="Registered">
          <LocalTime value={receipt.createdAt} />
        </Fact>
        {receipt.startTime && (
          <Fact name="Picked up">
            <LocalTime value={receipt.startTime} />
          </Fact>
        )}
        {receipt.eta && <Fact name="Planned Arrival">{formatDay(receipt.eta)}</Fact>}
      </Part>
      <Part title="Proof of delivery">
        <Fact name="Received by">{proof.receivedBy ?? 'Not recorded'}</Fact>
        <Fact name="Place">{proof.place ?? 'Not recorded'}</Fact>
        {proof.note && (
          <Fact name="Note" wide>
            {proof.note}
          </Fact>
        )}
        {proof.signature && (
          <Fact name="Signature">
            <img
              src={proof.signature}
              alt="Signature"
              className="mt-1 h-28 w-full max-w-72 rounded-control print:h-20 bg-paper object-contain"
            />
          </Fact>
        )}
        {proof.photo && (
          <Fact name="Photo">
            <img
              src={proof.photo}
              alt="Delivered package"
              className="mt-1 max-h-56 max-w-full rounded-control print:max-h-36"
            />
          </Fact>
        )}
      </Part>
    </article>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="border-b border-line py-6 break-inside-avoid print:py-3.5 last:border-0 last:pb-0">
      <h2 className="mb-4 text-body print:mb-2 font-semibold">{title}</h2>
      <dl className="pairs gap-x-6 gap-y-4 sm:grid-cols-2 print:grid-cols-2 print:gap-y-2.5">{children}</dl>
    </section>
  );
}
