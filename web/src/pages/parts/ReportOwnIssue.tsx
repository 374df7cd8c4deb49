import { useQuery } from '@tanstack/react-query';
import { MessageSquareWarning } from 'lucide-react';
import { useState } from 'react';
import { openDeliveriesQuery, useLiveOpenDeliveries } from '../../deliveries/queries.ts';
import { refreshIncidents } from '../../incidents/queries.ts';
import { ReportIssueDialog } from '../../incidents/ReportIssueDialog.tsx';
import { texts } from '../../incidents/texts.ts';
import { cachePackage } from '../../packages/queries.ts';
import { api } from '../../platform/api.ts';
import { Button } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';
import { Field } from '../../ui/Field.tsx';
import { QueryError } from '../../ui/QueryError.tsx';
import { Select } from '../../ui/Select.tsx';
import { useDialogState } from '../../ui/useDialogState.ts';

/** Reports an issue on one of the owner's open deliveries, without opening its page. */
export function ReportOwnIssue() {
  useLiveOpenDeliveries();
  const open = useQuery(openDeliveriesQuery());
  const [id, setId] = useState('');
  const dialog = useDialogState<{ id: string; packageName: string }>();
  const chosen = open.data?.find((delivery) => delivery.id === id);
  const about = dialog.shown;
  if (open.isError && !open.data) {
    return (
      <Card>
        <QueryError query={open} />
      </Card>
    );
  }
  if (!open.data || open.data.length === 0) return null;
  return (
    <Card>
      <div className="flex flex-wrap items-end gap-3">
        <div className="min-w-0 flex-[1_1_16rem]">
          <Field label={texts.reportOn}>
            <Select
              placeholder={texts.selectPackage}
              options={open.data.map((delivery) => ({
                value: delivery.id,
                label: `${delivery.packageName} · ${delivery.trackingId}`,
              }))}
              value={chosen ? id : ''}
              onValueChange={setId}
            />
          </Field>
        </div>
        <Button
          disabled={!chosen}
          icon={<MessageSquareWarning aria-hidden="true" className="size-5" />}
          onClick={() => chosen && dialog.show(chosen)}
        >
          {texts.report}
        </Button>
      </div>
      {about && (
        <ReportIssueDialog
          key={dialog.opening}
          open={dialog.open}
          words={texts.dialog}
          onClose={dialog.close}
          about={{ id: about.id, name: about.packageName }}
          send={(issue, options) =>
            api.incidents.reportOnPackage({ params: { id: about.id }, body: issue, ...options })
          }
          onSent={(pkg) => {
            cachePackage(pkg);
            refreshIncidents();
          }}
        />
      )}
    </Card>
  );
}
