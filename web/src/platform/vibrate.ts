/** A short vibration, as a number or a pattern in ms; nothing where the device cannot, or the user wants no motion. */
export function vibrate(pattern: number | number[]): void {
  if (!('vibrate' in navigator) || matchMedia('(prefers-reduced-motion: reduce)').matches) return;
  navigator.vibrate(pattern);
}
