import { expect, test } from 'vitest';
import { addImages } from './image-choice.ts';

const file = (name: string, type = 'image/png', size = 1000) => ({ name, type, size });

test('invalid files are rejected with a reason, the others are kept', () => {
  const { files, refusal } = addImages(
    [file('a.png')],
    [file('b.svg', 'image/svg+xml'), file('c.webp', 'image/webp'), file('d.jpg', 'image/jpeg', 10 * 1024 * 1024 + 1)],
  );
  expect(files.map(({ name }) => name)).toEqual(['a.png', 'c.webp']);
  expect(refusal).toEqual({
    title: 'Invalid file type · File too large',
    description:
      'b.svg is not a valid image format. Only JPEG, PNG, GIF, and WebP are allowed. d.jpg exceeds the 10MB size limit.',
  });
});

test('10 MB is accepted, a fourth image is rejected', () => {
  const four = ['a', 'b', 'c', 'd'].map((name) => file(name, 'image/gif', 10 * 1024 * 1024));
  const { files, refusal } = addImages([], four);
  expect(files.map(({ name }) => name)).toEqual(['a', 'b', 'c']);
  expect(refusal).toEqual({ title: 'Too many images', description: 'Maximum 3 images allowed' });
});

test('of many rejected files only the first five are named', () => {
  const many = Array.from({ length: 30 }, (_, n) => file(`${n}.svg`, 'image/svg+xml'));
  const { refusal } = addImages([], many);
  expect(refusal?.title).toBe('Invalid file type');
  expect(refusal?.description).toMatch(/^0\.svg is .* 4\.svg is .* And 25 more\.$/);
});
