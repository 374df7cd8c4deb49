/**
 * The styles of MapLibre's elements, as far as the product uses them: its own file has 70 kB of controls and pictures. In a sheet that is
 * made here, since code that is loaded on demand brings no file of styles along.
 */
const styles = `
.maplibregl-map { position: relative; overflow: hidden; -webkit-tap-highlight-color: transparent; }
.maplibregl-canvas { position: absolute; top: 0; left: 0; }
.maplibregl-canvas:focus-visible { outline: 2px solid var(--color-focus); outline-offset: -2px; }
.map-area { position: absolute; z-index: 4; pointer-events: none; border: 2px solid var(--color-brand);
  background: color-mix(in srgb, var(--color-brand) 15%, transparent); }
/* The sun of the drawing below would stand over the tracker's map. */
:has(> [data-track-map]) .scene :is(.scene-sun, .scene-moon, circle[fill="var(--halo)"]) { visibility: hidden; }
.map-cross { position: absolute; z-index: 1; top: 50%; left: 50%; width: 24px; height: 24px; margin: -12px; opacity: 0; pointer-events: none;
  background: linear-gradient(var(--color-ink), var(--color-ink)) 50% / 2px 100% no-repeat,
    linear-gradient(var(--color-ink), var(--color-ink)) 50% / 100% 2px no-repeat; }
.maplibregl-canvas-container:has(:focus-visible) ~ .map-cross { opacity: 1; }
.maplibregl-canvas-container { position: absolute; inset: 0; }
.maplibregl-canvas-container.maplibregl-interactive { cursor: grab; user-select: none; }
.maplibregl-canvas-container.maplibregl-interactive:active { cursor: grabbing; }
.maplibregl-canvas-container.maplibregl-touch-zoom-rotate { touch-action: pan-x pan-y; }
.maplibregl-canvas-container.maplibregl-touch-drag-pan { touch-action: pinch-zoom; }
.maplibregl-canvas-container.maplibregl-touch-zoom-rotate.maplibregl-touch-drag-pan { touch-action: none; }
.maplibregl-canvas-container.maplibregl-cooperative-gestures.maplibregl-touch-drag-pan { touch-action: pan-x pan-y; }
.maplibregl-control-container > * { position: absolute; z-index: 2; pointer-events: none; }
.maplibregl-ctrl-bottom-right { right: 0; bottom: 0; }
.maplibregl-ctrl-attrib { pointer-events: auto; padding: 1px 6px; font-size: 11px; line-height: 16px; border-top-left-radius: 6px;
  color: var(--color-ink-2); background: color-mix(in srgb, var(--color-surface) 85%, transparent); }
.maplibregl-ctrl-attrib-button { display: none; }
.maplibregl-ctrl-attrib a:hover { text-decoration: underline; }
.maplibregl-ctrl-attrib a:focus-visible { outline: 2px solid var(--color-focus); }
.maplibregl-cooperative-gesture-screen { position: absolute; inset: 0; display: flex; align-items: center; justify-content: center; padding: 16px;
  text-align: center; color: #fff; background: rgb(16 24 40 / 0.55); opacity: 0; pointer-events: none; transition: opacity 600ms 600ms; z-index: 3; }
.maplibregl-cooperative-gesture-screen.maplibregl-show { opacity: 1; transition: opacity 50ms; }
.maplibregl-cooperative-gesture-screen .maplibregl-mobile-message { display: none; }
@media (hover: none), (pointer: coarse) {
  .maplibregl-cooperative-gesture-screen .maplibregl-desktop-message { display: none; }
  .maplibregl-cooperative-gesture-screen .maplibregl-mobile-message { display: block; }
}
`;

let isAdded = false;

export function addMapStyles(): void {
  if (isAdded) return;
  isAdded = true;
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(styles);
  document.adoptedStyleSheets.push(sheet);
}
