import { CircleCheck, Info, PackageOpen, TriangleAlert } from 'lucide-react';
import { toast } from '../src/platform/toasts.ts';
import { Badge } from '../src/ui/Badge.tsx';
import { Banner } from '../src/ui/Banner.tsx';
import { Button } from '../src/ui/Button.tsx';
import { CountDot } from '../src/ui/CountDot.tsx';
import { EmptyState } from '../src/ui/EmptyState.tsx';
import { ParcelDrawing } from '../src/ui/ParcelDrawing.tsx';
import { ErrorState } from '../src/ui/ErrorState.tsx';
import { PageSkeleton } from '../src/ui/PageSkeleton.tsx';
import { ProgressBar } from '../src/ui/ProgressBar.tsx';
import { QueryError } from '../src/ui/QueryError.tsx';
import { QueryNote } from '../src/ui/QueryNote.tsx';
import { Skeleton } from '../src/ui/Skeleton.tsx';
import { SkeletonGroup } from '../src/ui/SkeletonGroup.tsx';
import { Spinner } from '../src/ui/Spinner.tsx';
import { TableSkeleton } from '../src/ui/TableSkeleton.tsx';
import { toneFillClasses } from '../src/ui/tone.ts';
import type { Tone } from '../src/ui/tone.ts';
import { UnsentNote } from '../src/ui/UnsentNote.tsx';
import { unsentNotice } from '../src/platform/upload-errors.ts';
import { Section, Specimen, State } from './Specimen.tsx';

const tones = Object.keys(toneFillClasses) as Tone[];
const failed = { data: undefined, error: new Error('The server does not respond.'), refetch: () => undefined };

export function FeedbackSection() {
  return (
    <Section title="Feedback">
      <Specimen name="Badge">
        {tones.map((tone) => (
          <State key={tone} name={tone}>
            <Badge tone={tone} icon={<CircleCheck aria-hidden="true" />}>
              Delivered
            </Badge>
          </State>
        ))}
        <State name="outlined">
          <Badge tone="yellow" variant="outlined">
            Away
          </Badge>
        </State>
        <State name="xs">
          <Badge size="xs">3 attempts</Badge>
        </State>
        <State name="md">
          <Badge size="md" tone="blue">
            In Transit
          </Badge>
        </State>
        <State name="CountDot">
          <span className="relative inline-flex size-9">
            <CountDot count={7} />
          </span>
        </State>
        <State name="CountDot, many">
          <span className="relative inline-flex size-9">
            <CountDot count={120} />
          </span>
        </State>
      </Specimen>
      <Specimen name="Banner">
        {tones.map((tone) => (
          <State key={tone} name={tone} wide>
            <Banner tone={tone} icon={<Info aria-hidden="true" />} title="The round was changed">
              Two stops were added at the end.
            </Banner>
          </State>
        ))}
        <State name="with an action" wide>
          <Banner
            tone="yellow"
            icon={<TriangleAlert aria-hidden="true" />}
            title="Not sent yet"
            action={
              <Button variant="secondary" size="sm">
                Retry
              </Button>
            }
          />
        </State>
      </Specimen>
      <Specimen name="EmptyState">
        <State name="with an action" wide>
          <EmptyState
            icon={<PackageOpen aria-hidden="true" />}
            title="No packages yet"
            description="Register the first one, and it appears here."
            action={<Button>New package</Button>}
          />
        </State>
      </Specimen>
      <Specimen name="ParcelDrawing">
        {(['open', 'done', 'missing'] as const).map((kind) => (
          <State key={kind} name={kind} wide>
            <EmptyState drawing={<ParcelDrawing kind={kind} />} title="No packages yet" />
          </State>
        ))}
      </Specimen>
      <Specimen name="ErrorState, QueryError, QueryNote">
        <State name="ErrorState" wide>
          <ErrorState message="The server does not respond." onRetry={() => undefined} requestId="0f6c-22" />
        </State>
        <State name="retrying" wide>
          <ErrorState message="The server does not respond." onRetry={() => undefined} retrying />
        </State>
        <State name="QueryError" wide>
          <QueryError query={{ ...failed, isFetching: false }} />
        </State>
        <State name="QueryNote" wide>
          <QueryNote query={{ ...failed, isFetching: false }} title="The figures could not be loaded." />
        </State>
      </Specimen>
      <Loading />
      <Notices />
    </Section>
  );
}

function Loading() {
  return (
    <>
      <Specimen name="Spinner, ProgressBar">
        {(['sm', 'md', 'lg'] as const).map((size) => (
          <State key={size} name={size}>
            <Spinner size={size} label="Loading" />
          </State>
        ))}
        {[0, 40, 100].map((value) => (
          <State key={value} name={`${value} %`} wide>
            <ProgressBar value={value} label={`Imported: ${value} %`} tone={value === 100 ? 'green' : 'blue'} />
          </State>
        ))}
        <State name="xs, red" wide>
          <ProgressBar size="xs" tone="red" value={70} label="Late: 70 %" />
        </State>
      </Specimen>
      <Specimen name="Skeleton, SkeletonGroup">
        <State name="text, card, round" wide>
          <SkeletonGroup label="Loading" visible>
            <div className="flex flex-col gap-3">
              <Skeleton width="w-3/5" />
              <Skeleton shape="card" height="h-20" />
              <Skeleton shape="round" width="w-10" height="h-10" />
            </div>
          </SkeletonGroup>
        </State>
      </Specimen>
      <Specimen name="TableSkeleton, PageSkeleton">
        <State name="TableSkeleton" wide>
          <TableSkeleton label="Loading packages" visible />
        </State>
        <State name="PageSkeleton" wide>
          <PageSkeleton />
        </State>
      </Specimen>
    </>
  );
}

function Notices() {
  return (
    <Specimen name="Toaster, UnsentNote">
      <State name="default">
        <Button
          variant="secondary"
          onClick={() => toast({ title: 'Saved', action: { label: 'Undo', act: () => undefined } })}
        >
          Show a toast
        </Button>
      </State>
      <State name="destructive">
        <Button
          variant="secondary"
          onClick={() => toast({ title: 'Error', description: 'Failed to start delivery', variant: 'destructive' })}
        >
          Show an error
        </Button>
      </State>
      <State name="UnsentNote">
        <Button variant="secondary" onClick={() => unsentNotice.set('It was not sent. Try again.')}>
          Show it
        </Button>
        <UnsentNote />
      </State>
    </Specimen>
  );
}
