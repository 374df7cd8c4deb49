/** The dialogs of a package's actions, loaded soon after its page. */
export { CarrierDialog } from '../../deliveries/CarrierDialog.tsx';
export { ReportIssueDialog } from '../../incidents/ReportIssueDialog.tsx';
export { CancelPackageDialog } from '../../packages/CancelPackageDialog.tsx';
export { DeletePackageDialog } from '../../packages/DeletePackageDialog.tsx';
export { RateDeliveryDialog } from '../../packages/RateDeliveryDialog.tsx';
