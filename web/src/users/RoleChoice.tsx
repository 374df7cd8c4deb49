import { roles } from '@waybill/contract';
import type { Role, SignUpPolicy } from '@waybill/contract';
import { CircleCheck } from 'lucide-react';
import { useId } from 'react';
import type { UseFormRegisterReturn } from 'react-hook-form';
import { texts, translated } from '../platform/texts.ts';
import { roleIcons } from './role-icons.ts';

interface RoleChoiceProps {
  register: UseFormRegisterReturn;
  policy?: Record<Role, SignUpPolicy>;
  error?: string;
}

export function RoleChoice({ register, policy, error }: RoleChoiceProps) {
  const errorId = useId();
  const { registration } = texts;
  const notes: Record<SignUpPolicy, string | null> = {
    open: null,
    approval: registration.needsApproval,
    closed: registration.closed,
  };
  return (
    <fieldset aria-describedby={error ? errorId : undefined}>
      <legend className="mb-1.5 text-ui font-medium">{registration.registerAs}</legend>
      <div className="grid grid-cols-1 gap-2">
        {roles.map((role) => {
          const Icon = roleIcons[role];
          const rule = policy?.[role] ?? 'open';
          return (
            <label
              key={role}
              className="relative flex min-h-14 cursor-pointer items-center gap-3 rounded-control border border-control/60 bg-surface px-3.5 py-2.5 transition-[border-color,background-color] hover:border-control has-checked:border-brand has-checked:bg-brand-soft has-checked:shadow-[inset_0_0_0_1px_var(--color-brand)] has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus has-disabled:cursor-not-allowed has-disabled:bg-sunken"
            >
              {/* Invisible, over the whole card, so that a click anywhere on the card hits the radio button. */}
              <input
                {...register}
                type="radio"
                value={role}
                disabled={rule === 'closed'}
                className="peer absolute inset-0 z-10 size-full cursor-[inherit] opacity-0"
              />
              <Icon aria-hidden="true" className="size-5 shrink-0 text-ink-3 peer-checked:text-brand" />
              <span className="min-w-0 grow">
                <span className="block text-ui font-medium">{texts.roles[role]}</span>
                <span className="block text-table text-ink-2">{notes[rule] ?? registration.tasks[role]}</span>
              </span>
              <CircleCheck
                aria-hidden="true"
                className="size-5 shrink-0 text-brand opacity-0 peer-checked:opacity-100"
              />
            </label>
          );
        })}
      </div>
      {error && (
        <p id={errorId} className="mt-1.5 text-table text-danger">
          {translated(error)}
        </p>
      )}
    </fieldset>
  );
}
