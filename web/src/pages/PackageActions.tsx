import { statusAfter } from '@waybill/contract';
import type { Package } from '@waybill/contract';
import {
  CircleX,
  LayoutDashboard,
  MessageSquareWarning,
  ReceiptText,
  ScanSearch,
  Star,
  UserRoundSearch,
} from 'lucide-react';
import { CarrierDialog } from '../deliveries/CarrierDialog.tsx';
import { ReportIssueDialog } from '../incidents/ReportIssueDialog.tsx';
import { CancelPackageDialog } from '../packages/CancelPackageDialog.tsx';
import { holdPackage } from '../packages/queries.ts';
import { RateDeliveryDialog } from '../packages/RateDeliveryDialog.tsx';
import { api } from '../platform/api.ts';
import { Button } from '../ui/Button.tsx';
import { Card } from '../ui/Card.tsx';
import { LinkButton } from '../ui/LinkButton.tsx';
import { Stars } from '../ui/Stars.tsx';
import { useDialogState } from '../ui/useDialogState.ts';
import { PermissionButton } from '../users/PermissionButton.tsx';

const icon = 'size-5';

/** What an owner can do with a package. */
export function PackageActions({ pkg }: { pkg: Package }) {
  const dialog = useDialogState<'carrier' | 'issue' | 'cancel' | 'rating'>();
  const delivered = pkg.status === 'delivered';
  const isOpen = (name: typeof dialog.shown) => dialog.open && dialog.shown === name;
  return (
    <Card title="Actions">
      <div className="flex flex-col gap-2.5">
        {delivered ? (
          <>
            <LinkButton
              fullWidth
              href={`/owner/package/${pkg.id}/receipt`}
              icon={<ReceiptText aria-hidden="true" className={icon} />}
            >
              View Delivery Receipt
            </LinkButton>
            {pkg.rating ? (
              <div className="flex flex-wrap items-center justify-between gap-2 px-1 py-2">
                <span className="text-ui text-ink-2">Your rating</span>
                <Stars value={pkg.rating.stars} />
                {pkg.rating.comment && <p className="w-full text-ui text-ink-2 wrap-anywhere">{pkg.rating.comment}</p>}
              </div>
            ) : (
              <PermissionButton
                permissions={['packages.update']}
                variant="secondary"
                fullWidth
                icon={<Star aria-hidden="true" className={icon} />}
                onClick={() => dialog.show('rating')}
              >
                Rate Delivery Experience
              </PermissionButton>
            )}
          </>
        ) : (
          <>
            <LinkButton
              fullWidth
              href={`/track/${pkg.trackingId}`}
              icon={<ScanSearch aria-hidden="true" className={icon} />}
            >
              Track Package
            </LinkButton>
            <Button
              variant="secondary"
              fullWidth
              icon={<UserRoundSearch aria-hidden="true" className={icon} />}
              onClick={() => dialog.show('carrier')}
            >
              Carrier Info
            </Button>
            <Button
              variant="secondary"
              fullWidth
              icon={<MessageSquareWarning aria-hidden="true" className={icon} />}
              onClick={() => dialog.show('issue')}
            >
              Report Issue
            </Button>
          </>
        )}
        {statusAfter('cancel', pkg.status) && (
          <PermissionButton
            permissions={['packages.update']}
            variant="ghost"
            fullWidth
            icon={<CircleX aria-hidden="true" className={icon} />}
            onClick={() => dialog.show('cancel')}
          >
            Cancel package
          </PermissionButton>
        )}
        <LinkButton
          variant="ghost"
          fullWidth
          href="/owner/dashboard"
          icon={<LayoutDashboard aria-hidden="true" className={icon} />}
        >
          Dashboard
        </LinkButton>
      </div>
      <CarrierDialog packageId={pkg.id} trackingId={pkg.trackingId} open={isOpen('carrier')} onClose={dialog.close} />
      <ReportIssueDialog
        key={`issue ${dialog.opening}`}
        open={isOpen('issue')}
        onClose={dialog.close}
        about={pkg}
        send={(issue, idempotencyKey) =>
          api.incidents.reportOnPackage({ params: { id: pkg.id }, body: issue, idempotencyKey })
        }
        onSent={holdPackage}
      />
      <RateDeliveryDialog key={`rating ${dialog.opening}`} pkg={pkg} open={isOpen('rating')} onClose={dialog.close} />
      <CancelPackageDialog key={`cancel ${dialog.opening}`} pkg={pkg} open={isOpen('cancel')} onClose={dialog.close} />
    </Card>
  );
}
