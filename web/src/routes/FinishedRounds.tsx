import type { Route } from '@waybill/contract';
import { Card } from '../ui/Card.tsx';
import { RoundFigures } from './RoundFigures.tsx';
import { texts } from './round-texts.ts';

/** What became of the stops of rounds that are finished. */
export function FinishedRounds({ routes }: { routes: Route[] }) {
  return routes.map((route) => (
    <Card key={route.id} title={texts.summary}>
      <RoundFigures route={route} />
    </Card>
  ));
}
