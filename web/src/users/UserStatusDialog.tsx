import type { User } from '@waybill/contract';
import { useState } from 'react';
import { formatCountOf } from '../platform/formats.ts';
import { refreshUser, useSession } from '../platform/session.ts';
import { BulkActDialog } from '../ui/BulkActDialog.tsx';
import { Field } from '../ui/Field.tsx';
import { Select } from '../ui/Select.tsx';
import { refreshUsers, setStatusOf } from './admin-queries.ts';
import { roleNames } from './role-names.ts';
import { useCan } from './useCan.ts';

export type UserAct = 'activate' | 'suspend';

interface UserStatusDialogProps {
  act: UserAct;
  /** Those among them that have the status already are left out, and the user who would suspend themselves. */
  users: readonly User[];
  open: boolean;
  onClose: () => void;
  onDone: () => void;
}

const texts = {
  activate: { title: 'Activate accounts', one: 'Activate account', running: 'Activating...', result: 'activated' },
  suspend: { title: 'Suspend accounts', one: 'Suspend account', running: 'Suspending...', result: 'suspended' },
} as const;

const stopsOptions = [
  { value: 'keep', label: 'Leave with their driver' },
  { value: 'release', label: 'Take back: they wait for a driver again' },
] as const;

/** Activates, which is also how an account is approved, or suspends one or several accounts. */
export function UserStatusDialog({ act, users, open, onClose, onDone }: UserStatusDialogProps) {
  const status = act === 'activate' ? 'active' : 'suspended';
  const own = useSession().user?.id;
  const others = act === 'suspend' ? users.filter(({ id }) => id !== own) : users;
  const chosen = others.filter((user) => user.status !== status);
  const [only] = chosen;
  const leftOut = others.length - chosen.length;
  const text = texts[act];
  const mayAssign = useCan({ permissions: ['deliveries.assign'] });
  const asksForStops = act === 'suspend' && mayAssign && chosen.some(({ role }) => role === 'driver');
  const [stops, setStops] = useState<'keep' | 'release'>('keep');
  const approves = act === 'activate' && chosen.some(({ awaitsApproval }) => awaitsApproval);
  return (
    <BulkActDialog
      open={open}
      onClose={onClose}
      onDone={onDone}
      onSettled={() => {
        refreshUsers();
        // It may be the user's own account.
        void refreshUser();
      }}
      title={chosen.length === 1 ? text.one : text.title}
      button={chosen.length === 1 ? text.one : text.title}
      running={text.running}
      danger={act === 'suspend'}
      items={chosen}
      idOf={({ id }) => id}
      renderItem={({ name, email }) => (
        <span className="wrap-anywhere">
          {name} <span className="text-ink-3">{email}</span>
        </span>
      )}
      done={(count) => `${formatCountOf(count, 'account')} ${text.result}`}
      act={({ id, role }, signal) =>
        setStatusOf(id, status, asksForStops && role === 'driver' ? stops : undefined, signal)
      }
    >
      {only && chosen.length === 1 && (
        <p className="wrap-anywhere">
          <span className="font-medium">{only.name}</span> <span className="text-ink-2">{only.email}</span>
          <span className="block text-ink-2">{roleNames[only.role]}</span>
        </p>
      )}
      {chosen.length === 0 ? (
        <p>None of the chosen accounts can be {text.result}.</p>
      ) : (
        <p>
          {act === 'suspend'
            ? `Are you sure you want to suspend ${formatCountOf(chosen.length, 'account')}? They can still sign in, but nothing more.`
            : approves
              ? `Approve and activate ${formatCountOf(chosen.length, 'account')}? They get the permissions of their role.`
              : `Activate ${formatCountOf(chosen.length, 'account')}? They get the permissions of their role.`}
        </p>
      )}
      {leftOut > 0 && chosen.length > 0 && (
        <p className="text-ink-2">
          {formatCountOf(leftOut, 'account')} {leftOut === 1 ? 'is' : 'are'} left out: {status} already.
        </p>
      )}
      {others.length < users.length && <p className="text-ink-2">Your own account is left out.</p>}
      {asksForStops && (
        <Field label="Their deliveries under way">
          <Select options={stopsOptions} value={stops} onValueChange={setStops} />
        </Field>
      )}
    </BulkActDialog>
  );
}
