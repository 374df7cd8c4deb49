import { permissions } from '@waybill/contract';
import type { Permission } from '@waybill/contract';
import { Button } from '../ui/Button.tsx';
import { Checkbox } from '../ui/Checkbox.tsx';
import { permissionGroups, permissionTexts } from './permission-texts.ts';

interface PermissionChoiceProps {
  value: readonly Permission[];
  onChange: (permissions: Permission[]) => void;
  /** What may be handed out: nobody grants what they do not hold. */
  grantable: readonly Permission[];
}

/** Permissions to be ticked, by what they are about. */
export function PermissionChoice({ value, onChange, grantable }: PermissionChoiceProps) {
  /** In the contract's order, so that equal sets are equal lists. */
  const set = (changed: readonly Permission[], chosen: boolean) =>
    onChange(permissions.filter((name) => (changed.includes(name) ? chosen : value.includes(name))));
  return (
    <div className="flex flex-col gap-5">
      {permissionGroups.map(({ title, names }) => {
        const chosen = names.filter((name) => value.includes(name));
        const free = names.filter((name) => grantable.includes(name) || value.includes(name));
        const all = chosen.length === free.length;
        return (
          <fieldset key={title} className="min-w-0">
            <legend className="contents">
              <span className="text-ui font-semibold">{title}</span>
            </legend>
            <div className="float-right -mt-2 flex items-center gap-2">
              <span className="figures text-table text-ink-3">
                {chosen.length} of {names.length}
              </span>
              <Button
                variant="ghost"
                size="sm"
                disabled={free.length === 0}
                aria-label={`${all ? 'Clear' : 'Choose all'}: ${title}`}
                onClick={() => set(free, !all)}
              >
                {all ? 'Clear' : 'Choose all'}
              </Button>
            </div>
            <div className="clear-both grid gap-x-6 border-t border-line pt-1 sm:grid-cols-2">
              {names.map((name) => (
                <Checkbox
                  key={name}
                  label={<span className="code text-table">{name}</span>}
                  hint={free.includes(name) ? permissionTexts[name] : `${permissionTexts[name]}. You do not hold it`}
                  checked={value.includes(name)}
                  disabled={!free.includes(name)}
                  onChange={(event) => set([name], event.target.checked)}
                />
              ))}
            </div>
          </fieldset>
        );
      })}
    </div>
  );
}
