import type { Permission } from '@waybill/contract';
import { Check } from 'lucide-react';
import { permissionTexts } from './permission-texts.ts';

/** A list of permissions, each with its description. */
export function PermissionList({ permissions }: { permissions: readonly Permission[] }) {
  return (
    <ul className="grid gap-x-6 gap-y-3 sm:grid-cols-2">
      {permissions.map((permission) => (
        <li key={permission} className="flex gap-2.5">
          <Check aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-green-dot" />
          <span className="min-w-0">
            <span className="code block text-table">{permission}</span>
            <span className="block text-ui text-ink-2">{permissionTexts[permission]}</span>
          </span>
        </li>
      ))}
    </ul>
  );
}
