import type { Receipt } from '@waybill/contract';
import type { ReactNode } from 'react';
import { formatDimensions } from '../packages/formats.ts';
import { handlingLabels } from '../packages/handling.ts';
import { TrackingId } from '../packages/TrackingId.tsx';
import { formatDay, formatWeight } from '../platform/formats.ts';
import { formatPhone } from '../platform/phone.ts';
import { DescriptionItem } from '../ui/DescriptionItem.tsx';
import { LocalTime } from '../ui/LocalTime.tsx';

/** Delivery receipt with the proof of delivery; prints on one page. */
export function ReceiptSheet({ receipt }: { receipt: Receipt }) {
  const { proof } = receipt;
  const handling = handlingLabels(receipt.handling);
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
        <DescriptionItem name="Tracking ID">
          <TrackingId id={receipt.trackingId} />
        </DescriptionItem>
        <DescriptionItem name="Name">{receipt.packageName}</DescriptionItem>
        <DescriptionItem name="Category">{receipt.category}</DescriptionItem>
        <DescriptionItem name="Weight">{formatWeight(receipt.weight)}</DescriptionItem>
        {receipt.dimensions && (
          <DescriptionItem name="Dimensions (W × H × L)">{formatDimensions(receipt.dimensions)}</DescriptionItem>
        )}
        {handling.length > 0 && <DescriptionItem name="Special Handling">{handling.join(', ')}</DescriptionItem>}
      </Part>
      <Part title="From and to">
        <DescriptionItem name="Sender">{receipt.sender ?? 'Account deleted'}</DescriptionItem>
        <DescriptionItem name="Recipient">{receipt.recipientName}</DescriptionItem>
        {receipt.recipientAddress && (
          <DescriptionItem name="Delivery Address">{receipt.recipientAddress}</DescriptionItem>
        )}
        <DescriptionItem name="Recipient Contact">
          {formatPhone(receipt.recipientContact ?? '') || 'Not specified'}
        </DescriptionItem>
      </Part>
      <Part title="Delivery">
        <DescriptionItem name="Driver">{receipt.driver ?? 'Account deleted'}</DescriptionItem>
        <DescriptionItem name="Attempts">{receipt.attempts}</DescriptionItem>
        <DescriptionItem name="Registered">
          <LocalTime value={receipt.createdAt} />
        </DescriptionItem>
        {receipt.startTime && (
          <DescriptionItem name="Picked up">
            <LocalTime value={receipt.startTime} />
          </DescriptionItem>
        )}
        {receipt.eta && (
          <DescriptionItem name="Planned Arrival">
            <span className="figures">{formatDay(receipt.eta)}</span>
          </DescriptionItem>
        )}
      </Part>
      <Part title="Proof of delivery">
        <DescriptionItem name="Received by">{proof.receivedBy ?? 'Not recorded'}</DescriptionItem>
        <DescriptionItem name="Place">{proof.place ?? 'Not recorded'}</DescriptionItem>
        {proof.note && (
          <DescriptionItem name="Note" wide>
            {proof.note}
          </DescriptionItem>
        )}
        {proof.signature && (
          <DescriptionItem name="Signature">
            <img
              src={proof.signature}
              alt="Signature"
              className="mt-1 aspect-[4/3] w-full rounded-control border border-line bg-paper object-contain print:aspect-auto print:h-20 print:w-auto"
            />
          </DescriptionItem>
        )}
        {proof.photo && (
          <DescriptionItem name="Photo">
            <img
              src={proof.photo}
              alt="Delivered package"
              className="mt-1 aspect-[4/3] w-full rounded-control object-cover print:aspect-auto print:max-h-36 print:w-auto"
            />
          </DescriptionItem>
        )}
        {proof.link && (
          <DescriptionItem name={`Link ${proof.link.number} in the chain of proofs`} wide>
            <span className="code text-table font-normal">{proof.link.hash}</span>
          </DescriptionItem>
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
