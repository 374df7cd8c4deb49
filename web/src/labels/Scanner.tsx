import { fill } from '@waybill/contract';
import { CameraOff, Check, Flashlight, FlashlightOff, Volume2, VolumeX, X } from 'lucide-react';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { FormEvent } from 'react';
import { useHardwareScanner } from '../platform/keyboard-wedge.ts';
import { useStore } from '../platform/store.ts';
import { texts } from '../platform/texts.ts';
import { Button } from '../ui/Button.tsx';
import { classes } from '../ui/classes.ts';
import { Field } from '../ui/Field.tsx';
import { IconButton } from '../ui/IconButton.tsx';
import { Input } from '../ui/Input.tsx';
import { Spinner } from '../ui/Spinner.tsx';
import { openCamera } from './camera.ts';
import type { Camera, CameraProblem } from './camera.ts';
import { openCodeReader } from './code-reader.ts';
import { scanSound, setScanSound, signal } from './scan-sound.ts';
import { scannedId, typedId } from './scanned-id.ts';

/** What a scan led to, in words: shown over the picture, read out, and heard as a high or a low tone. */
export interface ScanAnswer {
  ok: boolean;
  words: string;
}

export interface ScannerProps {
  /**
   * A label was scanned by the camera or a hardware scanner, or its ID typed. Called again for the same label only once it has been out of
   * view for 2 s. Without an answer the ID is shown as found.
   * @param trackingId `PKG-` and 8 capital letters or digits; whether there is such a package is for the caller to find out
   */
  onFound: (trackingId: string) => ScanAnswer | Promise<ScanAnswer> | void;
}

/** A label that stays in view is one scan. */
const againAfterMs = 2000;
/** Between two pictures: reading all of them would only warm the phone. */
const pauseMs = 80;

/** The camera's picture, in which labels are read. It asks for the camera as soon as it is mounted, so mount it after a click. */
export function Scanner({ onFound }: ScannerProps) {
  const video = useRef<HTMLVideoElement>(null);
  const [attempt, setAttempt] = useState(0);
  const [camera, setCamera] = useState<Camera | null>(null);
  const [problem, setProblem] = useState<CameraProblem | 'notLoaded' | null>(null);
  const [light, setLight] = useState(false);
  const [answer, setAnswer] = useState<ScanAnswer | null>(null);
  const [foreign, setForeign] = useState<string | null>(null);
  const lastSeen = useRef(new Map<string, number>());
  const sounds = useStore(scanSound);

  const report = useEffectEvent(async (id: string) => {
    setForeign(null);
    const { ok, words } = (await onFound(id)) ?? { ok: true, words: fill(texts.scan.found, { id }) };
    signal(ok);
    setAnswer({ ok, words });
  });
  const take = (id: string | null, code: string) => {
    if (id) return void report(id);
    setAnswer(null);
    setForeign(code.slice(0, 60));
  };
  const see = useEffectEvent((code: string) => {
    // Both codes of a label are one scan.
    const id = scannedId(code);
    const before = lastSeen.current.get(id ?? code) ?? -Infinity;
    lastSeen.current.set(id ?? code, performance.now());
    if (performance.now() - before >= againAfterMs) take(id, code);
  });
  useHardwareScanner((text) => take(scannedId(text), text));

  useEffect(() => {
    let isOn = true;
    const closers: (() => void)[] = [];
    const start = async () => {
      const opened = await openCamera();
      if (typeof opened === 'string') return isOn && setProblem(opened);
      closers.push(() => opened.stop());
      if (!isOn) return opened.stop();
      const picture = video.current;
      if (!picture) return;
      picture.srcObject = opened.stream;
      await picture.play();
      // The camera was unplugged, or taken by the system.
      opened.stream.getVideoTracks()[0]?.addEventListener('ended', () => isOn && setProblem('failed'));
      setCamera(opened);
      const reader = await openCodeReader().catch(() => null);
      if (!reader) return isOn && setProblem('notLoaded');
      closers.push(() => reader.close());
      if (!isOn) return reader.close();
      while (isOn) {
        const codes = document.hidden ? [] : await reader.read(picture);
        if (isOn) codes.forEach(see);
        await new Promise((resolve) => setTimeout(resolve, pauseMs));
      }
    };
    start().catch(() => isOn && setProblem('failed'));
    return () => {
      isOn = false;
      for (const close of closers) close();
    };
    // A new attempt opens the camera again.
    // oxlint-disable-next-line react/exhaustive-effect-dependencies
  }, [attempt]);

  const retry = () => {
    setProblem(null);
    setCamera(null);
    setLight(false);
    setAttempt((count) => count + 1);
  };
  const turnLight = () =>
    void camera?.torch?.(!light).then(
      () => setLight(!light),
      () => {},
    );
  return (
    <div className="flex flex-col gap-4">
      <div
        className={classes(
          'relative overflow-hidden rounded-card bg-stage text-on-stage',
          // Nothing to aim at: no more room than the words need.
          problem ? 'min-h-44' : 'aspect-4/3',
        )}
      >
        {problem ? (
          <div role="alert" className="flex min-h-44 flex-col items-center justify-center gap-3 p-6 text-center">
            <CameraOff aria-hidden="true" className="size-8" />
            <p className="max-w-[22rem] text-ui">{texts.scan[problem]}</p>
            {problem !== 'none' && problem !== 'insecure' && (
              <Button variant="secondary" onClick={retry}>
                {texts.scan.again}
              </Button>
            )}
          </div>
        ) : (
          <>
            {/* Muted and without controls: a picture to aim with. */}
            <video
              ref={video}
              muted
              playsInline
              aria-label={texts.scan.picture}
              className={classes('size-full object-cover transition-opacity', !camera && 'opacity-0')}
            />
            {camera ? (
              <div
                aria-hidden="true"
                className={classes('scan-frame', answer && (answer.ok ? 'scan-yes' : 'scan-no'))}
              />
            ) : (
              <p role="status" className="absolute inset-0 flex items-center justify-center gap-3 text-ui">
                <Spinner size="sm" />
                {texts.scan.starting}
              </p>
            )}
            <div className="absolute top-2 right-2 flex gap-1 rounded-control bg-stage/70 [&_button]:text-on-stage [&_button:hover]:bg-stage">
              {camera?.torch && (
                <IconButton
                  label={light ? texts.scan.lightOff : texts.scan.lightOn}
                  icon={light ? <FlashlightOff aria-hidden="true" /> : <Flashlight aria-hidden="true" />}
                  onClick={turnLight}
                />
              )}
              <IconButton
                label={sounds ? texts.scan.soundOff : texts.scan.soundOn}
                icon={sounds ? <Volume2 aria-hidden="true" /> : <VolumeX aria-hidden="true" />}
                onClick={() => setScanSound(!sounds)}
              />
            </div>
          </>
        )}
      </div>
      <p
        role="status"
        className={classes(
          'flex items-start gap-2 text-ui wrap-anywhere',
          problem && !answer && foreign === null ? 'sr-only' : 'min-h-6',
        )}
      >
        {answer ? (
          <>
            {answer.ok ? (
              <Check aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-success" />
            ) : (
              <X aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-danger" />
            )}
            <span className={classes('font-medium', !answer.ok && 'text-danger')}>{answer.words}</span>
          </>
        ) : (
          <span className="text-ink-2">
            {foreign === null ? (problem ? '' : texts.scan.hint) : fill(texts.scan.foreign, { text: foreign })}
          </span>
        )}
      </p>
      <TypedId onFound={(id) => void report(id)} />
    </div>
  );
}

/** For a torn label, or without a camera. */
function TypedId({ onFound }: { onFound: (trackingId: string) => void }) {
  const [error, setError] = useState<string>();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const typed = new FormData(form).get('id');
    const id = typeof typed === 'string' ? typedId(typed) : null;
    setError(id ? undefined : texts.scan.invalid);
    if (!id) return;
    form.reset();
    onFound(id);
  };
  return (
    <form noValidate onSubmit={submit} className="flex items-start gap-2 border-t border-line pt-4">
      <div className="min-w-0 grow">
        <Field label={texts.scan.type} error={error}>
          <Input
            name="id"
            code
            placeholder="PKG-XXXXXXXX"
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            enterKeyHint="go"
            maxLength={200}
          />
        </Field>
      </div>
      <div className="mt-[1.625rem]">
        <Button type="submit" variant="secondary">
          {texts.scan.take}
        </Button>
      </div>
    </form>
  );
}
