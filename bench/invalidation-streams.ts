import { createServer, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { rolePermissions, type LiveInvalidation } from '@waybill/contract';
import type { FeedEvent } from '../server/src/events/outbox.ts';
import { openInvalidations, type Invalidations, type Recipient } from '../server/src/events/invalidations.ts';
import { openUnbatchedInvalidations } from './baselines/invalidations-for-each.ts';
import { listen } from './baselines/listen.ts';
import { handleCommands } from './child-process.ts';

/** Listens, or sends invalidations for this rate of events to all open streams. */
export type Command = 'listen' | { by: 'product' | 'baseline'; seconds: number; eventsPerSecond: number };

/** The longest interval in which the event feed batches events under this load. */
const batchIntervalMs = 20;

const streams: ServerResponse[] = [];

function serve(): Promise<string> {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
    // The initial state, for which the subscribers wait.
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

/** @returns CPU seconds per second, including the cost of an idle process with these streams */
async function measure(
  invalidations: Pick<Invalidations, 'subscribe' | 'publish' | 'close'>,
  seconds: number,
  eventsPerSecond: number,
): Promise<number> {
  const unsubscribes = streams.map((stream, index) =>
    invalidations.subscribe(driver(index), (invalidation: LiveInvalidation) =>
      stream.write(`event: hint\ndata: ${JSON.stringify(invalidation)}\n\n`),
    ),
  );
  const before = process.cpuUsage();
  const began = performance.now();
  let sent = 0;
  for (let now = began; now - began < seconds * 1000; now = performance.now()) {
    const due = Math.floor(((now - began) / 1000) * eventsPerSecond);
    const events = Array.from({ length: due - sent }, (_, index) => started(sent + index));
    sent = due;
    if (events.length > 0) invalidations.publish(events);
    await sleep(batchIntervalMs);
  }
  const took = (performance.now() - began) / 1000;
  const { user, system } = process.cpuUsage(before);
  invalidations.close();
  for (const unsubscribe of unsubscribes) unsubscribe();
  return (user + system) / 1e6 / took;
}

handleCommands((command: Command) => {
  if (command === 'listen') return serve();
  const { by, seconds, eventsPerSecond } = command;
  return measure(by === 'product' ? openInvalidations() : openUnbatchedInvalidations(), seconds, eventsPerSecond);
});
