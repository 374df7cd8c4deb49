import { importWithRetry } from '../platform/import-with-retry.ts';
import { getSession } from '../platform/session.ts';
import { toast } from '../platform/toasts.ts';

/** Opens the package of a label, with code that is loaded with the first one. @param code the text of its code, or its tracking ID */
export function openScanned(code: string, go: (href: string) => void): void {
  importWithRetry(() => import('./open-label.ts')).then(
    ({ openLabel }) => void openLabel(code, getSession(), go),
    (error: Error) => toast({ title: 'Error', description: error.message, variant: 'destructive' }),
  );
}
