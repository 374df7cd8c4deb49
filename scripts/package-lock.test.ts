import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

test('package-lock.json names version and checksum of each package', () => {
  const text = readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8');
  const { packages } = JSON.parse(text) as {
    packages: Record<string, { version?: string; integrity?: string; link?: boolean; inBundle?: boolean }>;
  };
  const incomplete = Object.entries(packages)
    .filter(([path, { link, inBundle }]) => path.includes('node_modules/') && !link && !inBundle)
    .filter(([, { version, integrity }]) => !version || !integrity)
    .map(([path]) => path);
  // npm ci looks up what has no version, and fails where the registry answers.
  expect(incomplete).toEqual([]);
});
