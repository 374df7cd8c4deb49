import { localStorageItem } from '../platform/local-storage.ts';
import { createStore, useStore } from '../platform/store.ts';
import { vibrate } from '../platform/vibrate.ts';

const stored = localStorageItem('roundSound');
const sound = createStore(stored.read() !== 'off', true);

/** Whether this device makes a sound when the round changes. */
export const useSound = () => useStore(sound);

export function chooseSound(on: boolean): void {
  sound.set(on);
  stored.write(on ? null : 'off');
}

/** Frequencies in Hz, one after the other. */
const melodies = {
  added: [660, 990],
  offered: [660, 880, 990],
  removed: [660, 440],
  ticked: [1320],
  wrong: [220, 220],
} as const;
const patterns = {
  added: [60, 60, 60],
  offered: [60, 60, 60, 60, 60],
  removed: [200],
  ticked: [20],
  wrong: [100, 60, 100],
};
const noteSeconds = 0.14;

export type Signal = keyof typeof melodies;

let audio: AudioContext | null = null;

/** Browsers refuse sounds before the first gesture, and log an error. */
const hasGesture = () => !('userActivation' in navigator) || navigator.userActivation.hasBeenActive;

/** A short sound, unless it is turned off, and a vibration. */
export function signal(kind: Signal): void {
  vibrate([...patterns[kind]]);
  if (!sound.get() || !hasGesture() || typeof AudioContext === 'undefined') return;
  audio ??= new AudioContext();
  const context = audio;
  const play = () =>
    melodies[kind].forEach((frequency, index) => {
      const at = context.currentTime + index * noteSeconds;
      const [note, volume] = [context.createOscillator(), context.createGain()];
      note.frequency.value = frequency;
      volume.gain.setValueAtTime(0.2, at);
      volume.gain.exponentialRampToValueAtTime(0.001, at + noteSeconds);
      note.connect(volume).connect(context.destination);
      note.start(at);
      note.stop(at + noteSeconds);
    });
  // Suspended by the system meanwhile, for example by a call. Without sound the vibration and the screen remain.
  if (context.state === 'running') play();
  else void context.resume().then(play, () => {});
}
