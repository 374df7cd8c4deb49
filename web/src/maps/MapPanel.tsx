import type { MapState, MapUpload } from '@waybill/contract';
import { FileUp, TriangleAlert } from 'lucide-react';
import { formatCount } from '../platform/formats.ts';
import { toast } from '../platform/toasts.ts';
import { Banner } from '../ui/Banner.tsx';
import { Button } from '../ui/Button.tsx';
import { Card } from '../ui/Card.tsx';
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx';
import { DescriptionItem } from '../ui/DescriptionItem.tsx';
import { LocalTime } from '../ui/LocalTime.tsx';
import { Panel } from '../ui/Panel.tsx';
import { ProgressBar } from '../ui/ProgressBar.tsx';
import { TextLink } from '../ui/TextLink.tsx';
import { useDialogState } from '../ui/useDialogState.ts';
import {
  runningOf,
  useCancelUpload,
  useMapState,
  useOwnUpload,
  useRemoveExtract,
  useUploadExtract,
} from './map-upload.ts';
import { MapView } from './MapView.tsx';

const shownTexts: Record<MapState['shown'], string> = {
  style: 'The map of MAP_STYLE_URL, set in the environment of the server',
  pmtiles: 'The file of MAP_PMTILES, set in the environment of the server',
  extract: 'The extract below',
  town: 'Riverton, the fictional town of the demo',
  world: 'None yet: countries and cities only',
};

/** What the map is made of, and another extract for it. */
export function MapPanel() {
  const map = useMapState();
  return (
    <div className="flex flex-col gap-4 md:gap-6">
      <Panel title="Map in Use" query={map} loadingHeight="h-72">
        {(state) => <MapInUse state={state} />}
      </Panel>
      {map.data && <UploadCard state={map.data} />}
    </div>
  );
}

function MapInUse({ state: { shown, extract, upload } }: { state: MapState }) {
  const removing = useDialogState<'extract'>();
  const remove = useRemoveExtract();
  const corners = extract && [
    { lon: extract.west, lat: extract.south },
    { lon: extract.east, lat: extract.north },
  ];
  return (
    <div className="flex flex-col gap-5">
      <dl className="grid grid-cols-1 gap-x-8 gap-y-4 sm:grid-cols-2">
        <DescriptionItem name="Streets" wide>
          {shownTexts[shown]}
        </DescriptionItem>
        {extract && (
          <>
            <DescriptionItem name="Extract">{extract.name}</DescriptionItem>
            <DescriptionItem name="Imported">
              <LocalTime value={extract.importedAt} />
            </DescriptionItem>
            <DescriptionItem name="Addresses">{formatCount(extract.addresses)}</DescriptionItem>
            <DescriptionItem name="Streets, buildings and areas">{formatCount(extract.ways)}</DescriptionItem>
          </>
        )}
      </dl>
      {corners && (
        <MapView
          key={extract.importedAt}
          label={`The region of ${extract.name}`}
          fit={corners}
          fitKey={extract.importedAt}
          cooperative
          className="h-64"
        />
      )}
      {extract && (
        <div className="flex flex-wrap items-center justify-between gap-3 border-t border-line pt-5">
          <p className="min-w-0 flex-[1_1_16rem] text-ui text-ink-2">
            Its addresses are found, and driving times follow its roads unless a routing engine is set.
          </p>
          <Button variant="secondary" disabled={runningOf(upload) !== null} onClick={() => removing.show('extract')}>
            Remove Extract
          </Button>
        </div>
      )}
      <ConfirmDialog
        key={removing.opening}
        open={removing.open}
        onOpenChange={removing.close}
        title={`Remove ${extract?.name ?? 'the extract'}?`}
        description="The built-in map is shown again. Places that were found with the extract stay. To have it back, upload the file again."
        confirmLabel="Remove"
        loadingText="Removing..."
        danger
        act={remove}
        error={remove.error?.message}
        onConfirm={() =>
          remove.mutate(undefined, {
            onSuccess: () => {
              removing.close();
              toast({ title: 'Extract removed', description: 'The built-in map is in use again.' });
            },
          })
        }
      />
    </div>
  );
}

const megabytes = (bytes: number) => formatCount(Math.ceil(bytes / 1024 / 1024));

function UploadCard({ state: { upload, maxBytes } }: { state: MapState }) {
  const sending = useUploadExtract();
  const own = useOwnUpload();
  const running = runningOf(upload);
  const failure = sending.error?.message ?? (upload?.state === 'failed' ? upload.failure : null);
  return (
    <Card
      title="Upload an Extract"
      description={`Streets, buildings, addresses and roads of your region, from an OpenStreetMap file (.osm.pbf) of up to ${megabytes(maxBytes)} MB. It replaces the current extract.`}
    >
      <div className="flex flex-col gap-5">
        {failure && !own && !running && (
          <Banner
            tone="red"
            live
            icon={<TriangleAlert />}
            title={upload && !sending.error ? `${upload.name} was not imported` : 'The file was not uploaded'}
          >
            <p>{failure}</p>
            <p>The map is as it was.</p>
          </Banner>
        )}
        {own || running ? (
          <Running upload={running} own={own} />
        ) : (
          <>
            <label className="relative flex min-h-32 flex-col items-center justify-center gap-2 rounded-card border border-dashed border-control px-4 text-center text-ui text-ink-2 transition-colors hover:border-ink-3 hover:text-ink has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus">
              <FileUp aria-hidden="true" strokeWidth={1.5} className="size-8" />
              Choose an .osm.pbf file, or drop it here
              <input
                type="file"
                accept=".pbf"
                className="absolute inset-0 cursor-pointer opacity-0"
                onChange={(event) => {
                  const [file] = event.target.files ?? [];
                  if (file) sending.mutate(file);
                  event.target.value = '';
                }}
              />
            </label>
            <p className="text-table text-ink-3">
              Extracts of most regions are free at{' '}
              <TextLink href="https://download.geofabrik.de" target="_blank" rel="noreferrer">
                download.geofabrik.de
              </TextLink>
              . The current map stays until the import succeeds.
            </p>
          </>
        )}
      </div>
    </Card>
  );
}

const stepTexts = { read: 'Reading the file', cut: 'Drawing the map', store: 'Storing it' };

interface RunningProps {
  upload: MapUpload | null;
  own: ReturnType<typeof useOwnUpload>;
}

function Running({ upload, own }: RunningProps) {
  const cancel = useCancelUpload();
  const name = own?.name ?? upload?.name ?? '';
  const { text, part } = progressOf(upload, own);
  const id = own?.id ?? upload?.id;
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <p className="min-w-0 text-ui font-semibold wrap-anywhere">{name}</p>
        <p role="status" className="figures text-ui text-ink-2">
          {text}
        </p>
      </div>
      <ProgressBar label={`Progress of ${name}`} value={Math.round(part * 100)} valueText={text} />
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="min-w-0 flex-[1_1_16rem] text-table text-ink-3">
          {own
            ? 'You may open other pages meanwhile, but keep this window open until all of it has arrived.'
            : upload?.state === 'uploading'
              ? `${upload.by ?? 'Somebody'} uploads it in another window.`
              : 'You may leave; the import goes on, also when the server restarts.'}
        </p>
        <Button
          variant="secondary"
          disabled={id === undefined || id === null}
          loading={cancel.isPending}
          loadingText="Cancelling..."
          onClick={() => id && cancel.mutate(id)}
        >
          Cancel
        </Button>
      </div>
      {cancel.error && (
        <p role="alert" className="text-ui text-danger">
          {cancel.error.message}
        </p>
      )}
    </div>
  );
}

/** Uploading and each step of the import have the whole bar. */
function progressOf(upload: MapUpload | null, own: RunningProps['own']): { text: string; part: number } {
  if (own || upload?.state === 'uploading') {
    const [sent, size] = own ? [own.sent, own.size] : [upload?.received ?? 0, upload?.size ?? 0];
    const part = sent / Math.max(size, 1);
    return { text: `Uploading: ${Math.floor(part * 100)} % of ${megabytes(size)} MB`, part };
  }
  if (!upload?.step) return { text: 'Waiting for the import to begin', part: 0 };
  const { step, progress } = upload;
  return { text: `${stepTexts[step]}: ${Math.floor(progress * 100)} %`, part: progress };
}
