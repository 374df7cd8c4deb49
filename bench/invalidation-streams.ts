import { createServer, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { rolePermissions, type LiveInvalidation } from '@waybill/contract';
import type { FeedEvent } from '../server/src/events/outbox.ts';
import { openInvalidations, type Invalidations, type Recipient } from '../server/src/events/invalidations.ts';
import { openHintsForEach } from './baselines/invalidations-for-each.ts';
import { listen } from './baselines/listen.ts';
import { answerQuestions } from './child.ts';

/** Listen, or tell so many events a second to all streams that are open, for so long. */
export type Ask = 'listen' | { by: 'product' | 'baseline'; seconds: number; eventsPerSecond: number };

/** How long the feed gathers at most while so much happens: each reading tells what came in it. */
const readEveryMs = 20;

const streams: ServerResponse[] = [];

function serve(): Promise<string> {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
    // What the subscribers take for the present state.
    response.write('event: view\ndata: {"trackingId":"PKG-00000000","lastUpdate":"now"}\n\n');
    streams.push(response);
  });
  return listen(server);
}

const driver = (index: number): Recipient => ({
  id: `driver ${index}`,
  role: 'driver',
  permissions: rolePermissions.driver,
});

const started = (index: number): FeedEvent => ({
  id: String(index),
  type: 'delivery.started',
  package_id: `package ${index}`,
  tracking_id: null,
  owner_id: 'owner',
  driver_id: `driver ${index % streams.length}`,
  previous_driver_id: null,
  incident_number: null,
  reporter_id: null,
  user_id: null,
  session_id: null,
  import_id: null,
});

/** @returns seconds of processor time for each second, what an idle process with these streams takes included */
async function measure(hints: Invalidations, seconds: number, eventsPerSecond: number): Promise<number> {
  const leave = streams.map((stream, index) =>
    hints.subscribe(driver(index), (hint: LiveInvalidation) =>
      stream.write(`event: hint\ndata: ${JSON.stringify(hint)}\n\n`),
    ),
  );
  const before = process.cpuUsage();
  const began = performance.now();
  let told = 0;
  for (let now = began; now - began < seconds * 1000; now = performance.now()) {
    const due = Math.floor(((now - began) / 1000) * eventsPerSecond);
    const events = Array.from({ length: due - told }, (_, index) => started(told + index));
    told = due;
    if (events.length > 0) hints.publish(events);
    await sleep(readEveryMs);
  }
  const took = (performance.now() - began) / 1000;
  const { user, system } = process.cpuUsage(before);
  hints.close();
  for (const one of leave) one();
  return (user + system) / 1e6 / took;
}

answerQuestions((ask: Ask) => {
  if (ask === 'listen') return serve();
  return measure(ask.by === 'product' ? openInvalidations() : openHintsForEach(), ask.seconds, ask.eventsPerSecond);
});
