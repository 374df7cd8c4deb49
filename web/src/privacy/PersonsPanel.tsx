import { PersonSearchInput } from '@waybill/contract';
import type { PersonAccount, PersonPackage, Persons } from '@waybill/contract';
import { Download, Eraser, Search } from 'lucide-react';
import { useState } from 'react';
import { packageHref } from '../packages/links.ts';
import { formatCount, formatMoment } from '../platform/formats.ts';
import { useSession } from '../platform/session.ts';
import { useForm } from '../platform/useForm.ts';
import { Button } from '../ui/Button.tsx';
import { Card } from '../ui/Card.tsx';
import { Checkbox } from '../ui/Checkbox.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { ParcelDrawing } from '../ui/ParcelDrawing.tsx';
import { Field } from '../ui/Field.tsx';
import { Input } from '../ui/Input.tsx';
import { TextLink } from '../ui/TextLink.tsx';
import { useDialogState } from '../ui/useDialogState.ts';
import { roleNames } from '../users/role-names.ts';
import { EraseDialog } from './EraseDialog.tsx';
import { useExportPerson, useFindPersons } from './queries.ts';

interface Asked {
  q: string;
  /** Where the search before ended. */
  older?: Older;
}

type Older = NonNullable<Persons['older']>;

/** Finds what is stored about a person, exports and erases it. People may have the same name: what belongs together is chosen by hand. */
export function PersonsPanel() {
  const find = useFindPersons();
  const [asked, setAsked] = useState<Asked>({ q: '' });
  const form = useForm(PersonSearchInput, ({ q }) => search({ q }), {
    initial: { q: '' },
    refusal: find.error,
    unsaved: false,
  });
  function search(next: Asked) {
    setAsked(next);
    find.mutate({ q: next.q, before: next.older?.before });
  }
  return (
    <div className="flex flex-col gap-5">
      <Card
        title="Personal Data"
        description="Find, export or erase what is stored about a person. Every search, export and erasure is in the audit log."
      >
        <form noValidate onSubmit={form.onSubmit} className="flex flex-wrap items-start gap-3">
          <div className="min-w-0 flex-[1_1_16rem]">
            <Field label="Name, email or phone" error={form.formState.errors.q?.message ?? form.formError}>
              <Input {...form.register('q')} type="search" maxLength={120} autoComplete="off" spellCheck={false} />
            </Field>
          </div>
          <span className="sm:pt-6.5">
            <Button
              type="submit"
              icon={<Search aria-hidden="true" className="size-4" />}
              loading={find.isPending}
              loadingText="Searching..."
            >
              Find
            </Button>
          </span>
        </form>
      </Card>
      <div aria-live="polite">
        {find.data && !find.isPending && (
          <FoundPersons
            key={`${asked.q} ${find.submittedAt}`}
            found={find.data}
            madeBefore={asked.older?.at}
            onErased={() => search(asked)}
            onSearchOlder={(older) => search({ q: asked.q, older })}
          />
        )}
      </div>
    </div>
  );
}

interface FoundPersonsProps {
  found: Persons;
  /** Only packages from before this time were searched. */
  madeBefore: string | undefined;
  onErased: () => void;
  onSearchOlder: (older: Older) => void;
}

function FoundPersons({ found, madeBefore, onErased, onSearchOlder }: FoundPersonsProps) {
  const [accountId, setAccountId] = useState<string | null>(null);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const save = useExportPerson();
  const erasing = useDialogState<true>();
  const { accounts, packages, older } = found;
  const searchOlder = older && (
    <Button variant="secondary" onClick={() => onSearchOlder(older)}>
      Search packages from before {formatMoment(older.at)}
    </Button>
  );
  if (accounts.length + packages.length === 0)
    return (
      <Card>
        <EmptyState
          drawing={<ParcelDrawing kind="missing" />}
          title={older ? 'Nobody found yet' : 'Nobody found'}
          description={
            older
              ? 'These words stand in very many packages, and only the newest of them were looked at. A full name, an email address or a number is found at once.'
              : 'Neither an account nor a recipient matches.'
          }
          action={searchOlder}
        />
      </Card>
    );
  const person = { accountId, packageIds: [...chosen] };
  const isNothing = accountId === null && chosen.size === 0;
  const open = packages.filter(({ id, isOpen }) => isOpen && chosen.has(id));
  const toggle = (id: string) => {
    const next = new Set(chosen);
    if (!next.delete(id)) next.add(id);
    setChosen(next);
  };
  return (
    <div className="flex flex-col gap-5">
      {accounts.length > 0 && (
        <Card title="Accounts">
          <ul className="divide-y divide-line">
            {accounts.map((account) => (
              <li key={account.id}>
                <Checkbox
                  label={account.name}
                  hint={<AccountLine account={account} />}
                  checked={accountId === account.id}
                  onChange={() => setAccountId(accountId === account.id ? null : account.id)}
                />
              </li>
            ))}
          </ul>
        </Card>
      )}
      {packages.length > 0 && (
        <Card
          title="Recipients"
          description={madeBefore && `Of packages from before ${formatMoment(madeBefore)}.`}
          actions={
            <Button
              size="sm"
              variant="ghost"
              onClick={() =>
                setChosen(chosen.size === packages.length ? new Set() : new Set(packages.map(({ id }) => id)))
              }
            >
              {chosen.size === packages.length ? 'Choose none' : 'Choose all'}
            </Button>
          }
        >
          <ul className="divide-y divide-line">
            {packages.map((pkg) => (
              <li key={pkg.id}>
                <Checkbox
                  label={pkg.recipientName}
                  hint={<PackageLine pkg={pkg} />}
                  checked={chosen.has(pkg.id)}
                  onChange={() => toggle(pkg.id)}
                />
              </li>
            ))}
          </ul>
        </Card>
      )}
      {(found.isCapped || older) && (
        <div className="flex flex-wrap items-center gap-3">
          <p className="text-ui text-ink-2">There may be more. Please search for more of the name, or go on.</p>
          {searchOlder}
        </div>
      )}
      <Card>
        <div className="flex flex-wrap items-center gap-3">
          <p className="grow text-ui text-ink-2">
            {isNothing ? 'Choose what belongs to the person.' : textOfChoice(accountId !== null, chosen.size)}
          </p>
          <Button
            variant="secondary"
            icon={<Download aria-hidden="true" className="size-4" />}
            disabled={isNothing}
            loading={save.isPending}
            onClick={() => save.mutate(person)}
          >
            Export
          </Button>
          <Button
            variant="danger"
            icon={<Eraser aria-hidden="true" className="size-4" />}
            disabled={isNothing || open.length > 0}
            onClick={() => erasing.show(true)}
          >
            Erase...
          </Button>
        </div>
        {open.length > 0 && (
          <p className="mt-3 text-ui text-ink-2">
            {open.map(({ trackingId }) => trackingId).join(', ')}: the delivery has not ended, and its driver needs name
            and address. It can be exported, and erased later.
          </p>
        )}
      </Card>
      {erasing.shown && (
        <EraseDialog
          key={erasing.opening}
          person={person}
          what={textOfChoice(accountId !== null, chosen.size)}
          open={erasing.open}
          onClose={erasing.close}
          onErased={onErased}
        />
      )}
    </div>
  );
}

const textOfChoice = (account: boolean, packages: number): string =>
  [account && '1 account', packages > 0 && (packages === 1 ? '1 package' : `${formatCount(packages)} packages`)]
    .filter(Boolean)
    .join(' and ');

const AccountLine = ({ account: { email, phone, role, underWay } }: { account: PersonAccount }) => (
  <>
    {[email, phone, roleNames[role]].filter(Boolean).join(' · ')}
    {underWay > 0 && ` · ${underWay} on the road`}
  </>
);

function PackageLine({ pkg }: { pkg: PersonPackage }) {
  const session = useSession();
  const { id, trackingId, recipientContact, recipientEmail, recipientPhone, receivedBy, town } = pkg;
  const contact = [...new Set([recipientContact, recipientEmail, recipientPhone])];
  const href = packageHref({ id, trackingId }, session);
  return (
    <>
      {[...contact, town, receivedBy && `received by ${receivedBy}`, pkg.hasProof && 'proof of delivery']
        .filter(Boolean)
        .join(' · ')}
      {pkg.messages > 0 && ` · ${pkg.messages === 1 ? '1 message' : `${pkg.messages} messages`}`}
      <span className="block">
        {href ? <TextLink href={href}>{trackingId}</TextLink> : trackingId} · {pkg.status}
      </span>
    </>
  );
}
