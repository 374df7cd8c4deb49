/** What staff does to a delivery without its driver, loaded when the first dialog opens. */
export { CollectDialog } from './CollectDialog.tsx';
export { ReleasePinDialog } from './ReleasePinDialog.tsx';
export { ReopenDialog } from './ReopenDialog.tsx';
