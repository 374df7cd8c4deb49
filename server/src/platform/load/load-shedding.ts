import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { networkOf } from '../origin/addresses.ts';
import { AppError, unavailable } from '../errors.ts';
import { errorReply } from '../errors.ts';
import { boundsOf, loadClassNames, type LoadClass } from './load-classes.ts';
import { openPendingBodies, type PendingBodies } from './pending-bodies.ts';
import { openTransferProgress, type TransferProgress } from './transfer-progress.ts';
import { createConcurrencyLimit, type LimitedRequest, type ConcurrencyLimit } from './concurrency-limit.ts';
import type { Actor } from '../auth/sessions.ts';

/** For the body to arrive, for the handler, and for the answer to be taken; what carries files or pages gets longer, in all. */
const timeouts = {
  readMs: 10_000,
  answerMs: 15_000,
  takenMs: 10_000,
  slowMs: 120_000,
  sweepMs: 1000,
  /** Over so long the progress of what is long is measured. */
  windowMs: 10_000,
  /** A reader who has taken nothing for so long gives way where there is no room. */
  stalledMs: 5000,
};

/** Longer addresses are refused: the longest of ours, a list with all its filters, has not 3,000 characters. */
const maxUrlLength = 4096;

/** What may be on its way at once: JSON in memory, files on the disk. */
const pendingBounds = {
  bodies: { bytes: 64 * 1024 * 1024, each: 64, eachAddress: 256 },
  files: { bytes: 256 * 1024 * 1024, each: 8, eachAddress: 32 },
};
const largest = { bodies: 64 * 1024, files: 16 * 1024 * 1024 };

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Without it a route is a page. */
    load?: LoadClass;
    /** Where the class hangs on what is asked for. */
    loadOf?: (request: FastifyRequest) => LoadClass;
    /** The handler reads the body, and calls `acquireSlot` when it is there. */
    readsBody?: true;
  }
  interface FastifyRequest {
    slot: Slot | null;
    /** Who calls, where the endpoint needs a session. */
    actor: Actor | null;
  }
}

/** A request under way. */
interface Slot extends LimitedRequest {
  load: LoadClass;
  request: FastifyRequest;
  reply: FastifyReply;
  state: LoadState;
  /** When it has taken too long, by the monotonic clock. */
  until: number;
  /** It has its place in the class; before, its token is looked up and its body is on its way. */
  hasEntered: boolean;
  /** Of what may take long. */
  progress: TransferProgress | null;
  /** Its body is waited for no longer. */
  bodyIsThere: () => void;
}

interface LoadState {
  timeouts: typeof timeouts;
  shedsLoad: boolean;
  limits: Record<LoadClass, ConcurrencyLimit>;
  shed: Record<LoadClass, number>;
  slots: Set<Slot>;
  pending: Record<'bodies' | 'files', PendingBodies>;
}

export interface LoadShedding {
  inFlight(load: LoadClass): number;
  /** How many were turned away since the start. */
  shed(load: LoadClass): number;
}

const nothing = () => {};

/**
 * Lets requests in, and ends what takes too long. Holds for routes that come after it. In this order: the route's own `onRequest`
 * looks at the token, the body is waited for outside of every class, and only then is a place in the class taken.
 */
export function openLoadShedding(
  app: FastifyInstance,
  shedsLoad: boolean,
  shorter: Partial<typeof timeouts> = {},
): LoadShedding {
  const bounds = (load: LoadClass) => (shedsLoad ? boundsOf(load) : { room: Infinity });
  const state: LoadState = {
    timeouts: { ...timeouts, ...shorter },
    shedsLoad,
    limits: Object.fromEntries(
      loadClassNames.map((load) => [load, createConcurrencyLimit(bounds(load))]),
    ) as LoadState['limits'],
    shed: Object.fromEntries(loadClassNames.map((load) => [load, 0])) as LoadState['shed'],
    slots: new Set(),
    pending: {
      bodies: openPendingBodies(pendingBounds.bodies),
      files: openPendingBodies(pendingBounds.files),
    },
  };

  app.decorateRequest('place', null);
  app.decorateRequest('actor', null);
  app.addHook('onRoute', (route) => {
    const load = route.config?.load ?? 'pages';
    const others = asList(route.onRequest);
    route.onRequest = [(request, reply, done) => arrive(state, load, request, reply, done), ...others, awaitBody];
    if (!route.config?.readsBody) route.preHandler = [...asList(route.preHandler), acquireSlotBeforeHandler];
  });
  // What is not found is no route, but has a body all the same.
  app.addHook('onRequest', (request, reply, done) => {
    if (!request.is404) return done();
    arrive(state, request.method === 'GET' ? 'pages' : 'rest', request, reply, () => awaitBody(request, reply, done));
  });
  app.addHook('preHandler', (request, reply, done) =>
    request.is404 ? acquireSlotBeforeHandler(request, reply, done) : done(),
  );
  // One timer for all: one for each request would be the dearest part of a lookup.
  const sweep = setInterval(() => {
    const now = performance.now();
    for (const place of state.slots) if (now > place.until || isTooSlow(place, now)) end(place);
  }, state.timeouts.sweepMs).unref();
  app.addHook('onClose', (_app, done) => {
    clearInterval(sweep);
    done();
  });
  return { inFlight: (load) => state.limits[load].size(), shed: (load) => state.shed[load] };
}

const asList = <H>(hooks: H | H[] | undefined): H[] =>
  hooks === undefined ? [] : Array.isArray(hooks) ? hooks : [hooks];

function arrive(state: LoadState, load: LoadClass, request: FastifyRequest, reply: FastifyReply, done: () => void) {
  const { readMs, slowMs, windowMs } = state.timeouts;
  const { long } = boundsOf(load);
  const place: Slot = {
    load,
    request,
    reply,
    state,
    party: '',
    isSignedIn: false,
    until: performance.now() + (long ? slowMs : readMs),
    hasEntered: false,
    progress: long ? openTransferProgress(windowMs) : null,
    bodyIsThere: nothing,
    start: nothing,
  };
  request.slot = place;
  state.slots.add(place);
  // Comes after every answer, and when somebody hangs up before there is one.
  reply.raw.once('close', () => releaseSlot(request));
  // What names nothing is not found, however long it is.
  if (request.url.length > maxUrlLength && !request.is404)
    return reject(place, new AppError('too_large', 'The address is too long'));
  place.load = request.routeOptions.config.loadOf?.(request) ?? load;
  // Where all the class is full a flood is turned away here, before it costs more than this.
  if (state.shedsLoad && !long && state.limits[place.load].size() >= boundsOf(place.load).room) {
    state.shed[place.load]++;
    return reject(place, unavailable());
  }
  done();
}

/** Whether the request brings a body, be it read by now or not. */
export const hasBody = ({ headers }: FastifyRequest): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';

/** A body that is not read would keep the connection until Node's own limit. */
export function closeUnlessRead(request: FastifyRequest, reply: FastifyReply): void {
  if (hasBody(request) && !request.raw.complete) reply.header('connection', 'close');
}

function awaitBody(request: FastifyRequest, _reply: FastifyReply, done: () => void): void {
  const { slot } = request;
  if (slot && hasBody(request) && slot.state.shedsLoad) {
    const network = networkOf(request.ip);
    const kind = request.routeOptions.config.readsBody ? 'files' : 'bodies';
    const announced = Number(request.headers['content-length'] ?? largest[kind]);
    slot.bodyIsThere = slot.state.pending[kind].add({
      party: request.actor?.id ?? network,
      network,
      bytes: Math.min(announced, largest[kind]),
      cut: () => {
        slot.state.shed[slot.load]++;
        reject(slot, unavailable());
      },
    });
  }
  done();
}

const acquireSlotBeforeHandler = (request: FastifyRequest, _reply: FastifyReply, done: () => void): void => {
  if (request.slot) enter(request.slot, done);
  else done();
};

/** For handlers that read the body themselves: takes the place in the class. @returns false when there is none, which has been answered */
export async function acquireSlot({ slot }: FastifyRequest): Promise<boolean> {
  if (!slot) return true;
  return new Promise((resolve) => {
    if (!enter(slot, () => resolve(true))) resolve(false);
  });
}

function enter(place: Slot, start: () => void): boolean {
  const { state, request } = place;
  place.bodyIsThere();
  // Nobody waits any more for what took too long or was hung up on.
  if (!state.slots.has(place)) return false;
  const { each, eachAddress } = boundsOf(place.load);
  place.isSignedIn = request.actor !== null;
  if (each !== undefined || eachAddress !== undefined) place.party = request.actor?.id ?? networkOf(request.ip);
  place.start = start;
  if (place.progress) place.progress.rest();
  else place.until = performance.now() + state.timeouts.answerMs;
  place.hasEntered = true;
  const room = state.limits[place.load];
  if (room.acquire(place) || (endStalled(place) && room.acquire(place))) return true;
  place.hasEntered = false;
  state.shed[place.load]++;
  reject(place, unavailable());
  return false;
}

/** Where pages and pictures have no room left, who has stopped reading gives way: first of the same party, which has used up its share. */
function endStalled({ load, party, isSignedIn, state }: Slot): boolean {
  const { long, room } = boundsOf(load);
  if (!long || isSignedIn) return false;
  const now = performance.now();
  const stalled = [...state.slots].filter(
    (place) => place.load === load && (place.progress?.stalledFor(now) ?? 0) > state.timeouts.stalledMs,
  );
  const isFull = state.limits[load].size() >= room;
  const victim = stalled.find((place) => place.party === party) ?? (isFull ? stalled[0] : undefined);
  if (victim) end(victim);
  return victim !== undefined;
}

/** The answer is there: from now on it is up to the reader. */
export function markResponding({ slot }: FastifyRequest): void {
  if (slot && !slot.progress) slot.until = performance.now() + slot.state.timeouts.takenMs;
}

/** Streams release their slot as soon as they are open: a connection that lasts must not count as a request in flight. */
export function releaseSlot({ slot }: FastifyRequest): void {
  if (!slot?.state.slots.delete(slot)) return;
  slot.bodyIsThere();
  if (slot.hasEntered) slot.state.limits[slot.load].release(slot);
}

/** Looks up a token that nobody remembers: a question to the database that no class has room for yet. */
export async function withTokenSlot<T>({ ip, slot }: FastifyRequest, lookUp: () => Promise<T>): Promise<T> {
  if (!slot) return lookUp();
  const { limits, shed } = slot.state;
  const occupant = { party: networkOf(ip), isSignedIn: false, start: nothing };
  if (!limits.tokens.acquire(occupant)) {
    shed.tokens++;
    throw unavailable();
  }
  try {
    return await lookUp();
  } finally {
    limits.tokens.release(occupant);
  }
}

function isTooSlow({ progress, hasEntered, request, reply }: Slot, now: number): boolean {
  if (!progress) return false;
  const { socket } = request.raw;
  if (reply.raw.headersSent) return progress.isTooSlow(socket.bytesWritten - socket.writableLength, now);
  if (!hasEntered && !request.raw.complete) return progress.isTooSlow(socket.bytesRead, now);
  progress.rest();
  return false;
}

function end(place: Slot): void {
  const { request, reply, hasEntered } = place;
  // Half an answer cannot be taken back, nor is somebody told who does not read.
  if (reply.sent || reply.raw.headersSent) {
    releaseSlot(request);
    request.raw.destroy();
    return;
  }
  reject(place, hasEntered ? unavailable() : new AppError('request_timeout', 'The request took too long to arrive'));
}

/** Answers at once, without the way through the error handler: a flood would fill the log. */
function reject(place: Slot, error: AppError): void {
  const { request, reply } = place;
  releaseSlot(request);
  if (reply.sent) return;
  closeUnlessRead(request, reply);
  // Whoever is slow in sending would keep the connection; a busy server's own slowness is no fault of its caller.
  if (reply.getHeader('connection') === 'close') reply.raw.once('finish', () => request.raw.destroy());
  reply.code(error.status);
  if (error.retryAfterSeconds) reply.header('retry-after', error.retryAfterSeconds);
  void reply.send(errorReply(error, request.id));
}
