import { mayChange, statusAfter } from '@waybill/contract';
import type { Package } from '@waybill/contract';
import {
  CircleX,
  MessageSquareWarning,
  Pencil,
  ReceiptText,
  ScanSearch,
  Star,
  Trash2,
  UserRoundSearch,
} from 'lucide-react';
import { DepotActions } from '../../deliveries/DepotActions.tsx';
import { PrintLabels } from '../../labels/PrintLabels.tsx';
import { RecipientLink } from '../../packages/LazyRecipientLink.tsx';
import { packageHref } from '../../packages/links.ts';
import { cachePackage, refreshPackage } from '../../packages/queries.ts';
import { ShareButtons } from '../../packages/ShareButtons.tsx';
import { api } from '../../platform/api.ts';
import { importWithRetry } from '../../platform/import-with-retry.ts';
import { lazyComponent, usePreload } from '../../platform/lazy-component.tsx';
import { useSession } from '../../platform/session.ts';
import { DispatchActions } from '../../shifts/DispatchActions.tsx';
import { Button } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';
import { LinkButton } from '../../ui/LinkButton.tsx';
import { Stars } from '../../ui/Stars.tsx';
import { useDialogState } from '../../ui/useDialogState.ts';
import { PermissionButton } from '../../users/PermissionButton.tsx';
import { useCan } from '../../users/useCan.ts';

const load = () => importWithRetry(() => import('./PackageDialogs.tsx'));
const CarrierDialog = lazyComponent(() => load().then((module) => module.CarrierDialog));
const ReportIssueDialog = lazyComponent(() => load().then((module) => module.ReportIssueDialog<Package>));
const CancelPackageDialog = lazyComponent(() => load().then((module) => module.CancelPackageDialog));
const DeletePackageDialog = lazyComponent(() => load().then((module) => module.DeletePackageDialog));
const RateDeliveryDialog = lazyComponent(() => load().then((module) => module.RateDeliveryDialog));

const icon = 'size-5';

/** The actions of an owner or administrator on a package. */
export function PackageActions({ pkg }: { pkg: Package }) {
  const dialog = useDialogState<'carrier' | 'issue' | 'cancel' | 'delete' | 'rating'>();
  const session = useSession();
  const owns = session.role === 'owner' && pkg.userId === session.user?.id;
  // The same rule as on the server: besides `packages.update`, deleting needs `packages.delete` or `packages.view_all`.
  const mayDelete = useCan({ permissions: ['packages.delete', 'packages.view_all'] });
  const mayEdit = useCan({ permissions: ['packages.update'] });
  const delivered = pkg.status === 'delivered';
  // Who gives packages to drivers comes for that, not for the public page.
  const dispatches = useCan({ permissions: ['deliveries.assign'] }) && statusAfter('assign', pkg.status) !== null;
  const collects = pkg.nextStep?.kind === 'collect';
  const cancels = mayEdit && statusAfter('cancel', pkg.status) !== null;
  const deletes = mayEdit && mayDelete && statusAfter('remove', pkg.status) !== null;
  const shared = { pkg, open: dialog.open, onClose: dialog.close };
  usePreload(load);
  return (
    <Card title="Actions">
      {/* One column on phones and beside the details; on tablets, above them, two, the last of which may be as wide as both. */}
      <div className="flex flex-col gap-2.5 sm:max-lg:flex-row sm:max-lg:flex-wrap sm:max-lg:items-start sm:max-lg:*:grow sm:max-lg:*:basis-[calc(50%-0.3125rem)]">
        {delivered ? (
          <>
            <LinkButton
              fullWidth
              href={`${packageHref(pkg, session)}/receipt`}
              icon={<ReceiptText aria-hidden="true" className={icon} />}
            >
              View Delivery Receipt
            </LinkButton>
            {pkg.rating ? (
              <div className="flex flex-wrap items-center justify-between gap-2 px-1 py-2">
                <span className="text-ui text-ink-2">{owns ? 'Your rating' : "Owner's rating"}</span>
                <Stars value={pkg.rating.stars} />
                {pkg.rating.comment && <p className="w-full text-ui text-ink-2 wrap-anywhere">{pkg.rating.comment}</p>}
              </div>
            ) : (
              owns && (
                <PermissionButton
                  permissions={['packages.update']}
                  variant="secondary"
                  fullWidth
                  icon={<Star aria-hidden="true" className={icon} />}
                  onClick={() => dialog.show('rating')}
                >
                  Rate Delivery Experience
                </PermissionButton>
              )
            )}
          </>
        ) : (
          <>
            <DispatchActions pkg={pkg} isFirst={!collects} onSettled={() => refreshPackage(pkg.id)} />
            <LinkButton
              variant={dispatches ? 'secondary' : 'primary'}
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
            {owns && (
              <Button
                variant="secondary"
                fullWidth
                icon={<MessageSquareWarning aria-hidden="true" className={icon} />}
                onClick={() => dialog.show('issue')}
              >
                Report Issue
              </Button>
            )}
          </>
        )}
        <DepotActions pkg={pkg} onSettled={() => refreshPackage(pkg.id)} />
        {mayEdit && mayChange('hideRecipient', pkg.status) && (
          <LinkButton
            variant="secondary"
            fullWidth
            href={`${packageHref(pkg, session)}/edit`}
            icon={<Pencil aria-hidden="true" className={icon} />}
          >
            Edit package
          </LinkButton>
        )}
        {pkg.status !== 'inactive' && pkg.status !== 'cancelled' && (
          <PrintLabels idsOf={() => [pkg.id]}>Print label</PrintLabels>
        )}
        {pkg.status !== 'inactive' && <ShareButtons pkg={pkg} />}
        {pkg.status !== 'inactive' && pkg.status !== 'cancelled' && <RecipientLink pkg={pkg} />}
        {(cancels || deletes) && (
          <div className="flex flex-col border-t border-line pt-2.5 sm:max-lg:basis-full! sm:max-lg:flex-row sm:max-lg:gap-2.5">
            {cancels && (
              <Button
                variant="ghost"
                fullWidth
                icon={<CircleX aria-hidden="true" className={icon} />}
                onClick={() => dialog.show('cancel')}
              >
                Cancel package
              </Button>
            )}
            {deletes && (
              <span className="flex w-full [&_button,&_button:hover]:text-danger">
                <Button
                  variant="ghost"
                  fullWidth
                  icon={<Trash2 aria-hidden="true" className={icon} />}
                  onClick={() => dialog.show('delete')}
                >
                  Delete package
                </Button>
              </span>
            )}
          </div>
        )}
      </div>
      {dialog.shown === 'carrier' && (
        <CarrierDialog packageId={pkg.id} trackingId={pkg.trackingId} open={dialog.open} onClose={dialog.close} />
      )}
      {dialog.shown === 'issue' && (
        <ReportIssueDialog
          key={dialog.opening}
          open={dialog.open}
          onClose={dialog.close}
          about={pkg}
          send={(issue, options) => api.incidents.reportOnPackage({ params: { id: pkg.id }, body: issue, ...options })}
          onSent={cachePackage}
        />
      )}
      {dialog.shown === 'rating' && <RateDeliveryDialog key={dialog.opening} {...shared} />}
      {dialog.shown === 'delete' && <DeletePackageDialog key={dialog.opening} {...shared} />}
      {dialog.shown === 'cancel' && <CancelPackageDialog key={dialog.opening} {...shared} />}
    </Card>
  );
}
