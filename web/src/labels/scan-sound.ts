import { localStorageItem } from '../platform/local-storage.ts';
import { createStore } from '../platform/store.ts';
import { vibrate } from '../platform/vibrate.ts';

const stored = localStorageItem('scanSound');

/** Whether a scan sounds, in this browser. */
export const scanSound = createStore(stored.read() !== 'off');
export function setScanSound(on: boolean): void {
  stored.write(on ? null : 'off');
  scanSound.set(on);
}

let context: AudioContext | null = null;

/** A high short tone for yes, a low long one for no, and the same to feel: nobody looks at the screen while scanning. */
export function signal(ok: boolean): void {
  vibrate(ok ? 60 : [120, 80, 120]);
  if (!scanSound.get() || typeof AudioContext === 'undefined') return;
  context ??= new AudioContext();
  const [tone, volume] = [context.createOscillator(), context.createGain()];
  const [now, seconds] = [context.currentTime, ok ? 0.09 : 0.32];
  tone.frequency.value = ok ? 1480 : 196;
  tone.type = ok ? 'sine' : 'square';
  volume.gain.setValueAtTime(ok ? 0.25 : 0.12, now);
  // An abrupt end clicks.
  volume.gain.setTargetAtTime(0, now + seconds - 0.03, 0.01);
  tone.connect(volume).connect(context.destination);
  tone.start(now);
  tone.stop(now + seconds + 0.05);
}
