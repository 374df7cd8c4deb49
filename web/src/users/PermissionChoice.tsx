import { permissions } from '@waybill/contract';
import type { Permission } from '@waybill/contract';
import { Button } from '../ui/Button.tsx';
import { Checkbox } from '../ui/Checkbox.tsx';
import { permissionGroups, permissionTexts } from './permission-texts.ts';

interface PermissionChoiceProps {
  value: readonly Permission[];
  onChange: (permissions: Permission[]) => void;
  /** The permissions that the current user holds: only these can be granted. */
  grantable: readonly Permission[];
}

/** Checkboxes for permissions, grouped by subject. */
export function PermissionChoice({ value, onChange, grantable }: PermissionChoiceProps) {
  /** Keeps the contract's order, so that equal sets are equal lists. */
  const set = (changed: readonly Permission[], chosen: boolean) =>
    onChange(permissions.filter((name) => (changed.includes(name) ? chosen : value.includes(name))));
  return (
    <div className="flex flex-col gap-5">
      {permissionGroups.map(({ title, names }) => {
        const chosen = names.filter((name) => value.includes(name));
        const editable = names.filter((name) => grantable.includes(name) || value.includes(name));
        const all = chosen.length === editable.length;
        return (
          <fieldset key={title} className="min-w-0">
            <legend className="contents">
              <span className="text-ui font-semibold">{title}</span>
            </legend>
            <div className="float-right -mt-1.5 -mr-3 flex items-baseline gap-1">
              <span className="figures text-table text-ink-3">
                {chosen.length} of {names.length}
              </span>
              <Button
                variant="ghost"
                size="sm"
                disabled={editable.length === 0}
                aria-label={`${all ? 'Clear' : 'Choose all'}: ${title}`}
                onClick={() => set(editable, !all)}
              >
                {all ? 'Clear' : 'Choose all'}
              </Button>
            </div>
            <div className="clear-both grid gap-x-6 border-t border-line pt-1 sm:grid-cols-2">
              {names.map((name) => (
                <Checkbox
                  key={name}
                  label={<span className="code text-table">{name}</span>}
                  hint={
                    editable.includes(name) ? permissionTexts[name] : `${permissionTexts[name]}. You do not hold it`
                  }
                  checked={value.includes(name)}
                  disabled={!editable.includes(name)}
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
