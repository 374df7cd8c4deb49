import type { Import } from '@waybill/contract';
import { CircleCheck, TriangleAlert } from 'lucide-react';
import { Banner } from '../ui/Banner.tsx';
import { Card } from '../ui/Card.tsx';
import { LinkButton } from '../ui/LinkButton.tsx';

const count = (packages: number) => `${packages} ${packages === 1 ? 'package' : 'packages'}`;

/** What became of a file: what was created, and each row that was not, with its line and its reasons. */
export function ImportReport({ report }: { report: Import }) {
  const { created, failed, errors } = report;
  return (
    <div className="flex flex-col gap-4" role="status">
      <Banner
        tone={failed === 0 ? 'green' : 'yellow'}
        icon={failed === 0 ? <CircleCheck /> : <TriangleAlert />}
        title={`${count(created)} created`}
      >
        {failed === 0
          ? 'Every row of the file has become a package.'
          : `${failed} ${failed === 1 ? 'row was' : 'rows were'} left out. Mend them in the file and send it again: what is there already is not created twice.`}
      </Banner>
      {errors.length > 0 && (
        <Card title="Rows that were left out" flush>
          <ul className="divide-y divide-line border-t border-line">
            {errors.map(({ line, reason, fields }) => {
              const reasons = Object.entries(fields);
              return (
                <li key={line} className="flex gap-4 px-5 py-3 text-ui">
                  <span className="figures w-20 shrink-0 text-ink-3">Line {line}</span>
                  <ul className="min-w-0 wrap-anywhere">
                    {reasons.length === 0 ? (
                      <li>{reason}</li>
                    ) : (
                      reasons.map(([field, message]) => (
                        <li key={field}>
                          <span className="code text-table text-ink-3">{field}</span> {message}
                        </li>
                      ))
                    )}
                  </ul>
                </li>
              );
            })}
          </ul>
        </Card>
      )}
      <LinkButton variant="secondary" href="/owner/dashboard">
        Back to Dashboard
      </LinkButton>
    </div>
  );
}
