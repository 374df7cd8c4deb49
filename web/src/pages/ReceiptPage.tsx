import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { ArrowLeft, Printer } from 'lucide-react';
import { ReceiptSheet } from '../deliveries/ReceiptSheet.tsx';
import { SaveProof } from '../deliveries/SaveProof.tsx';
import { receiptQuery } from '../deliveries/queries.ts';
import { packageHref } from '../packages/links.ts';
import { useOrganisation } from '../platform/organisation.ts';
import { usePageTitle } from '../platform/page-title.ts';
import { useSession } from '../platform/session.ts';
import { Button } from '../ui/Button.tsx';
import { Card } from '../ui/Card.tsx';
import { LinkButton } from '../ui/LinkButton.tsx';
import { QueryError } from '../ui/QueryError.tsx';
import { Skeleton } from '../ui/Skeleton.tsx';
import { SkeletonGroup } from '../ui/SkeletonGroup.tsx';
import { useDelayedPending } from '../ui/useDelayedPending.ts';
import { Logo } from '../app/Logo.tsx';

/** The receipt of a delivery; only the receipt itself is printed. */
export function ReceiptPage() {
  const { id = '' } = useParams({ strict: false });
  const session = useSession();
  const organisation = useOrganisation();
  const query = useQuery(receiptQuery(id));
  const receipt = query.data;
  const pending = useDelayedPending(query.isPending);
  usePageTitle(receipt ? `Receipt ${receipt.number}` : 'Delivery Receipt');
  return (
    <div className="page py-6 md:py-8 print:p-0">
      <div className="mx-auto lg:max-w-[46rem]">
        {/* Print the logo here: the page header is not printed. */}
        <div className="mb-4 hidden print:block">
          <Logo {...organisation} />
        </div>
        <div className="mb-4 flex flex-wrap items-center justify-between gap-2 print:hidden">
          <span className="-ml-4 flex">
            <LinkButton
              variant="ghost"
              href={packageHref({ id, trackingId: receipt?.trackingId ?? '' }, session)}
              icon={<ArrowLeft aria-hidden="true" className="size-4" />}
            >
              Back to Package
            </LinkButton>
          </span>
          {receipt && (
            <span className="flex flex-wrap gap-2 max-sm:w-full max-sm:*:flex-1">
              <SaveProof packageId={id} />
              <Button icon={<Printer aria-hidden="true" className="size-5" />} onClick={() => print()}>
                Print
              </Button>
            </span>
          )}
        </div>
        {pending && (
          <Card>
            <h1 className="sr-only">Delivery Receipt</h1>
            <SkeletonGroup label="Loading receipt">
              <Skeleton width="w-48" height="h-8" />
              <div className="mt-8 grid gap-6 sm:grid-cols-2">
                {['a', 'b', 'c', 'd', 'e', 'f'].map((key) => (
                  <Skeleton key={key} height="h-10" />
                ))}
              </div>
            </SkeletonGroup>
          </Card>
        )}
        {!pending && !receipt && (
          <Card>
            <h1 className="sr-only">Delivery Receipt</h1>
            <QueryError query={query} />
          </Card>
        )}
        {!pending && receipt && <ReceiptSheet receipt={receipt} />}
      </div>
    </div>
  );
}
