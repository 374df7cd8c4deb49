import { useQuery } from '@tanstack/react-query';
import { UserRoundX } from 'lucide-react';
import { useEffect } from 'react';
import { toast } from '../platform/toasts.ts';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { ErrorState } from '../ui/ErrorState.tsx';
import { CarrierContact } from './CarrierContact.tsx';
import { CarrierDetails } from './CarrierDetails.tsx';
import { CarrierSkeleton } from './CarrierSkeleton.tsx';
import { carrierQuery, useLiveCarrier } from './queries.ts';

interface CarrierDialogProps {
  packageId: string;
  trackingId: string;
  open: boolean;
  onClose: () => void;
}

/** The driver of a package and their contact details. */
export function CarrierDialog({ packageId, trackingId, open, onClose }: CarrierDialogProps) {
  const carrier = useQuery({ ...carrierQuery(packageId), enabled: open });
  useLiveCarrier(packageId);
  const failed = carrier.isError && !carrier.data && !carrier.isFetching;
  const message = carrier.error?.message || 'Failed to load carrier information';
  useEffect(() => {
    if (failed) toast({ title: 'Unable to Load Carrier Information', description: message, variant: 'destructive' });
  }, [failed, message]);

  return (
    <Dialog
      open={open}
      onOpenChange={onClose}
      title="Carrier Information"
      footer={
        typeof carrier.data === 'object' ? (
          <CarrierContact carrier={carrier.data} trackingId={trackingId} />
        ) : (
          <Button variant="secondary" size="lg" onClick={onClose}>
            Close
          </Button>
        )
      }
    >
      {carrier.isPending || (carrier.isError && carrier.isFetching) ? (
        <CarrierSkeleton />
      ) : typeof carrier.data === 'object' ? (
        <CarrierDetails carrier={carrier.data} />
      ) : carrier.data !== undefined ? (
        <EmptyState icon={<UserRoundX />} title="No Carrier Information Available" description={carrier.data} />
      ) : (
        <ErrorState
          title="Unable to Load Carrier Information"
          message={message}
          retryLabel="Try Again"
          onRetry={() => void carrier.refetch()}
        />
      )}
    </Dialog>
  );
}
