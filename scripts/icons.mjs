// Draws the icons in web/public from the mark (web/src/ui/Mark.tsx), after a change of it: node scripts/icons.mjs
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';

const root = join(import.meta.dirname, '..');
const mark = await readFile(join(root, 'web/src/ui/Mark.tsx'), 'utf8');
const path = (name) => new RegExp(`const ${name} =\\s+'([^']+)'`).exec(mark)?.[1];
const letter = `<path d="${path('falling')}" fill="#b9cfff"/><path d="${path('rising')}" fill="#fff"/>`;
const draw = (content) => `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">${content}</svg>`;
const ticket = draw(`<path d="${path('ticket')}" fill="#1d4ed8"/>${letter}`);
/** The letter on a ground that a system may cut to its own shape. */
const fullGround = (scale) =>
  draw(
    `<path d="M0 0h32v32H0z" fill="#1d4ed8"/><g transform="translate(${16 - 14.85 * scale} ${16 - 16 * scale}) scale(${scale})">${letter}</g>`,
  );

const icons = [
  ['icon-192.png', ticket, 192],
  ['icon-512.png', ticket, 512],
  ['icon-maskable-512.png', fullGround(0.8), 512],
  ['apple-touch-icon.png', fullGround(0.9), 180],
];
for (const [name, svg, size] of icons)
  await sharp(Buffer.from(svg), { density: (72 * size) / 32 })
    .resize(size, size)
    .png({ compressionLevel: 9, palette: true })
    .toFile(join(root, 'web/public', name));
