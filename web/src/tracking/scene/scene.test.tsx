import { renderToStaticMarkup } from 'react-dom/server';
import { texts as english } from '@waybill/contract/texts/en';
import { expect, test } from 'vitest';
import { setTexts } from '../../platform/texts.ts';
import { Scene } from './Scene.tsx';
import { isNight, sceneOfPackage } from './state.ts';

setTexts(english);

const drawn = (stopsAway: number | null) =>
  renderToStaticMarkup(<Scene state={{ shot: 'road', tint: 'blue', stopsAway, initial: 'J' }} />);
/** In the phone's drawing alone; the wide one has as many again. */
const litHouses = (stopsAway: number | null) => drawn(stopsAway).split('scene-change').length - 1;

test('the lit houses between van and door are as many as the stops before, at most five', () => {
  expect([0, 1, 3, 5].map(litHouses)).toEqual([0, 2, 6, 10]);
  expect([6, 40, null].map(litHouses)).toEqual([0, 0, 0]);
});

test('the drawing needs no request, no style attribute, and is at most 60 kB for both widths', () => {
  for (const stopsAway of [null, 0, 5]) {
    const markup = drawn(stopsAway);
    expect(markup).not.toMatch(/href=|url\(|style=/);
    expect(markup.length).toBeLessThan(60_000);
  }
});

test('a package that waits to be collected stands on the counter of the depot; one that is tried again had a closed door', () => {
  const waiting = {
    status: 'processing',
    recipientName: null,
    location: 'Riverton',
    stopsAway: null,
    failed: true,
  } as const;
  const collect = sceneOfPackage({ ...waiting, nextStep: { kind: 'collect' } });
  expect(collect).toMatchObject({ shot: 'depot', dock: 'counter', van: false, place: 'Riverton' });
  const markup = renderToStaticMarkup(<Scene state={collect} />);
  expect(markup).not.toMatch(/href=|url\(|style=/);
  expect(markup.length).toBeLessThan(60_000);
  expect(sceneOfPackage({ ...waiting, nextStep: { kind: 'again' } })).toMatchObject({ shot: 'door', delivered: false });
});

test('the night is from eight to six', () => {
  const at = (hour: number) => isNight(new Date(2026, 10, 21, hour));
  expect([5, 6, 19, 20].map(at)).toEqual([true, false, false, true]);
});
