import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { networkOf } from '../origin/addresses.ts';
import { AppError, errorReply, unavailable } from '../errors.ts';
import { boundsOf, loadClassNames, type LoadClass } from './load-classes.ts';
import { DenseSet, type DenseSetMember } from './dense-set.ts';
import { openPendingBodies, type PendingBodies } from './pending-bodies.ts';
import { openTransferProgress, type TransferProgress } from './transfer-progress.ts';
import { createConcurrencyLimit, type LimitedRequest, type ConcurrencyLimit } from './concurrency-limit.ts';
import type { Actor } from '../auth/sessions.ts';

const timeouts = {
  /** For the body to arrive. */
  receiveMs: 10_000,
  /** For the handler, waiting in the queue included. */
  handlerMs: 15_000,
  /** For the client to read the response. */
  sendMs: 10_000,
  /** For a whole request in a `long` class (files, pages), which must also make progress. */
  longMs: 120_000,
  /** Interval of the timer that checks all requests. */
  sweepMs: 1000,
  /** Window over which the progress of a long transfer is measured. */
  windowMs: 10_000,
  /** A client that has read nothing for this long may be evicted when its class is full. */
  stalledMs: 5000,
};

/** Longer URLs are refused. The longest of ours, a list with all its filters, has less than 3,000 characters. */
const maxUrlLength = 4096;

/** Bodies that may be arriving at the same time: JSON in memory, files on the disk. */
const pendingBounds = {
  bodies: { bytes: 64 * 1024 * 1024, perAccount: 64, perAddress: 256 },
  files: { bytes: 256 * 1024 * 1024, perAccount: 8, perAddress: 32 },
};
/** Largest body of each kind, assumed where no Content-Length is announced. */
const maxBodyBytes = { bodies: 64 * 1024, files: 16 * 1024 * 1024 };

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Load class of the route; default: pages. */
    load?: LoadClass;
    /** For a class that depends on the request. */
    loadOf?: (request: FastifyRequest) => LoadClass;
    /** The handler reads the body itself, then calls `acquireSlot`. */
    readsBody?: true;
  }
  interface FastifyRequest {
    slot: Slot | null;
    /** The caller, if the endpoint needs a session. */
    actor: Actor | null;
  }
}

/** A request in flight. */
interface Slot extends LimitedRequest, DenseSetMember {
  load: LoadClass;
  request: FastifyRequest;
  reply: FastifyReply;
  state: LoadState;
  /** When its present phase times out, in ms of performance.now(). */
  deadline: number;
  /** It occupies a slot of its class. False while its token is looked up and its body arrives. */
  isAcquired: boolean;
  /** Of requests in `long` classes. */
  progress: TransferProgress | null;
  /** Stops counting its body as pending. */
  onBodyReceived: () => void;
}

interface LoadState {
  timeouts: typeof timeouts;
  shedsLoad: boolean;
  limits: Record<LoadClass, ConcurrencyLimit>;
  shed: Record<LoadClass, number>;
  slots: DenseSet<Slot>;
  fastSlots: DenseSet<FastSlot>;
  pending: Record<'bodies' | 'files', PendingBodies>;
}

/** The slot of a request that is answered before Fastify: it has no body, and counts in its class like every other request. */
export interface FastSlot extends LimitedRequest, DenseSetMember {
  load: LoadClass;
  /** When its present phase times out, in ms of performance.now(). */
  deadline: number;
  onTimeOut(): void;
}

export interface LoadShedding {
  /** Acquires a slot of the class. @returns false if none is free: Fastify then sheds the request */
  enter(slot: FastSlot): boolean;
  /** Starts the send time-out: the client has to read the response. @returns false if it was released before */
  markResponding(slot: FastSlot): boolean;
  /** @returns false if it was released before */
  leave(slot: FastSlot): boolean;
  inFlight(load: LoadClass): number;
  /** Requests shed since the start. */
  shed(load: LoadClass): number;
}

const noop = () => {};

/**
 * Load shedding and request time-outs, for all routes registered after it. The order of a request: the route's own `onRequest` checks the
 * token, then the body arrives (bounded, but without a slot), and only then the request acquires a slot of its load class.
 *
 * @param shedsLoad false turns all limits off, but not the time-outs
 * @param overrides of time-outs, for tests
 */
export function openLoadShedding(
  app: FastifyInstance,
  shedsLoad: boolean,
  overrides: Partial<typeof timeouts> = {},
): LoadShedding {
  const bounds = (load: LoadClass) => (shedsLoad ? boundsOf(load) : { slots: Infinity });
  const state: LoadState = {
    timeouts: { ...timeouts, ...overrides },
    shedsLoad,
    limits: Object.fromEntries(
      loadClassNames.map((load) => [load, createConcurrencyLimit(bounds(load))]),
    ) as LoadState['limits'],
    shed: Object.fromEntries(loadClassNames.map((load) => [load, 0])) as LoadState['shed'],
    slots: new DenseSet(),
    fastSlots: new DenseSet(),
    pending: {
      bodies: openPendingBodies(pendingBounds.bodies),
      files: openPendingBodies(pendingBounds.files),
    },
  };

  app.decorateRequest('slot', null);
  app.decorateRequest('actor', null);
  app.addHook('onRoute', (route) => {
    const load = route.config?.load ?? 'pages';
    const otherHooks = toArray(route.onRequest);
    route.onRequest = [
      (request, reply, done) => admit(state, load, request, reply, done),
      ...otherHooks,
      trackPendingBody,
    ];
    if (!route.config?.readsBody) route.preHandler = [...toArray(route.preHandler), acquireSlotHook];
  });
  // A 404 matches no route, so `onRoute` misses it, but it may have a body.
  app.addHook('onRequest', (request, reply, done) => {
    if (!request.is404) return done();
    admit(state, request.method === 'GET' ? 'pages' : 'rest', request, reply, () =>
      trackPendingBody(request, reply, done),
    );
  });
  app.addHook('preHandler', (request, reply, done) => (request.is404 ? acquireSlotHook(request, reply, done) : done()));
  // One timer for all requests: a timer per request would be the most expensive part of a lookup.
  const sweep = setInterval(() => {
    const now = performance.now();
    for (const slot of state.slots.values()) if (now > slot.deadline || isTooSlow(slot, now)) timeOut(slot);
    for (const slot of state.fastSlots.values()) if (now > slot.deadline) slot.onTimeOut();
  }, state.timeouts.sweepMs).unref();
  app.addHook('onClose', (_app, done) => {
    clearInterval(sweep);
    done();
  });
  return {
    inFlight: (load) => state.limits[load].size(),
    shed: (load) => state.shed[load],
    enter(slot) {
      if (!state.limits[slot.load].acquire(slot)) return false;
      slot.deadline = performance.now() + state.timeouts.handlerMs;
      state.fastSlots.add(slot);
      return true;
    },
    markResponding(slot) {
      slot.deadline = performance.now() + state.timeouts.sendMs;
      return state.fastSlots.has(slot);
    },
    leave(slot) {
      if (!state.fastSlots.delete(slot)) return false;
      state.limits[slot.load].release(slot);
      return true;
    },
  };
}

const toArray = <H>(hooks: H | H[] | undefined): H[] =>
  hooks === undefined ? [] : Array.isArray(hooks) ? hooks : [hooks];

function admit(state: LoadState, load: LoadClass, request: FastifyRequest, reply: FastifyReply, done: () => void) {
  const { receiveMs, longMs, windowMs } = state.timeouts;
  const { long } = boundsOf(load);
  const slot: Slot = {
    load,
    request,
    reply,
    state,
    caller: '',
    isSignedIn: false,
    deadline: performance.now() + (long ? longMs : receiveMs),
    isAcquired: false,
    progress: long ? openTransferProgress(windowMs) : null,
    onBodyReceived: noop,
    start: noop,
    place: -1,
  };
  request.slot = slot;
  state.slots.add(slot);
  // 'close' fires after every response, and when the client disconnects before.
  reply.raw.once('close', () => releaseSlot(request));
  // A URL without a route stays a 404, however long it is.
  if (request.url.length > maxUrlLength && !request.is404)
    return reject(slot, new AppError('too_large', 'The address is too long'));
  slot.load = request.routeOptions.config.loadOf?.(request) ?? load;
  // If the class is full already, reject here, so that a flood costs next to nothing.
  if (state.shedsLoad && !long && state.limits[slot.load].size() >= boundsOf(slot.load).slots) {
    state.shed[slot.load]++;
    return reject(slot, unavailable());
  }
  done();
}

/** Whether the request has a body, read or not. */
export const hasBody = ({ headers }: FastifyRequest): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';

/** Closes the connection after the response if the body was not read: it would stay open until Node's own time-out. */
export function closeUnlessRead(request: FastifyRequest, reply: FastifyReply): void {
  if (hasBody(request) && !request.raw.complete) reply.header('connection', 'close');
}

function trackPendingBody(request: FastifyRequest, _reply: FastifyReply, done: () => void): void {
  const { slot } = request;
  if (slot && hasBody(request) && slot.state.shedsLoad) {
    const network = networkOf(request.ip);
    const kind = request.routeOptions.config.readsBody ? 'files' : 'bodies';
    const announced = Number(request.headers['content-length'] ?? maxBodyBytes[kind]);
    slot.onBodyReceived = slot.state.pending[kind].add({
      caller: request.actor?.id ?? network,
      network,
      bytes: Math.min(announced, maxBodyBytes[kind]),
      reject: () => {
        slot.state.shed[slot.load]++;
        reject(slot, unavailable());
      },
    });
  }
  done();
}

const acquireSlotHook = (request: FastifyRequest, _reply: FastifyReply, done: () => void): void => {
  if (request.slot) enterClass(request.slot, done);
  else done();
};

/** For handlers that read the body themselves: acquires a slot of the class. @returns false if none was free; the 503 is sent already */
export async function acquireSlot({ slot }: FastifyRequest): Promise<boolean> {
  if (!slot) return true;
  return new Promise((resolve) => {
    if (!enterClass(slot, () => resolve(true))) resolve(false);
  });
}

function enterClass(slot: Slot, start: () => void): boolean {
  const { state, request } = slot;
  slot.onBodyReceived();
  // It timed out, or the client disconnected.
  if (!state.slots.has(slot)) return false;
  const { perAccount, perAddress } = boundsOf(slot.load);
  slot.isSignedIn = request.actor !== null;
  if (perAccount !== undefined || perAddress !== undefined) slot.caller = request.actor?.id ?? networkOf(request.ip);
  slot.start = start;
  if (slot.progress) slot.progress.pause();
  else slot.deadline = performance.now() + state.timeouts.handlerMs;
  slot.isAcquired = true;
  const limit = state.limits[slot.load];
  if (limit.acquire(slot) || (evictStalled(slot) && limit.acquire(slot))) return true;
  slot.isAcquired = false;
  state.shed[slot.load]++;
  reject(slot, unavailable());
  return false;
}

/**
 * If pages or pictures have no free slot, evicts a stalled reader: one of the same caller first, since its share may be used up; else the
 * first one if the whole class is full. @returns whether it evicted one
 */
function evictStalled({ load, caller, isSignedIn, state }: Slot): boolean {
  const { long, slots } = boundsOf(load);
  if (!long || isSignedIn) return false;
  const now = performance.now();
  const stalled = state.slots
    .values()
    .filter((slot) => slot.load === load && (slot.progress?.stalledFor(now) ?? 0) > state.timeouts.stalledMs);
  const isFull = state.limits[load].size() >= slots;
  const victim = stalled.find((slot) => slot.caller === caller) ?? (isFull ? stalled[0] : undefined);
  if (victim) timeOut(victim);
  return victim !== undefined;
}

/** Starts the send time-out: the response is ready, and the client has to read it. */
export function markResponding({ slot }: FastifyRequest): void {
  if (slot && !slot.progress) slot.deadline = performance.now() + slot.state.timeouts.sendMs;
}

/** Streams release their slot as soon as they are open: a connection that lasts must not count as a request in flight. */
export function releaseSlot({ slot }: FastifyRequest): void {
  if (!slot?.state.slots.delete(slot)) return;
  slot.onBodyReceived();
  if (slot.isAcquired) slot.state.limits[slot.load].release(slot);
}

/** Runs the database look-up of a token that is not cached, in the class `tokens`: the request has no slot of its own yet. */
export async function withTokenSlot<T>({ ip, slot }: FastifyRequest, lookUp: () => Promise<T>): Promise<T> {
  if (!slot) return lookUp();
  const { limits, shed } = slot.state;
  const tokenRequest = { caller: networkOf(ip), isSignedIn: false, start: noop };
  if (!limits.tokens.acquire(tokenRequest)) {
    shed.tokens++;
    throw unavailable();
  }
  try {
    return await lookUp();
  } finally {
    limits.tokens.release(tokenRequest);
  }
}

function isTooSlow({ progress, isAcquired, request, reply }: Slot, now: number): boolean {
  if (!progress) return false;
  const { socket } = request.raw;
  if (reply.raw.headersSent) return progress.isTooSlow(socket.bytesWritten - socket.writableLength, now);
  if (!isAcquired && !request.raw.complete) return progress.isTooSlow(socket.bytesRead, now);
  progress.pause();
  return false;
}

function timeOut(slot: Slot): void {
  const { request, reply, isAcquired } = slot;
  // The response has begun, so it cannot become an error: cut the connection.
  if (reply.sent || reply.raw.headersSent) {
    releaseSlot(request);
    reply.raw.destroy();
    return;
  }
  reject(slot, isAcquired ? unavailable() : new AppError('request_timeout', 'The request took too long to arrive'));
}

/** Answers directly, not through the error handler, which would fill the log during a flood. */
function reject(slot: Slot, error: AppError): void {
  const { request, reply } = slot;
  releaseSlot(request);
  if (reply.sent) return;
  closeUnlessRead(request, reply);
  // A slow sender would keep the connection open. Where the body was read, the connection stays: the server was slow, not the client.
  if (reply.getHeader('connection') === 'close') reply.raw.once('finish', () => request.raw.destroy());
  reply.code(error.status);
  if (error.retryAfterSeconds) reply.header('retry-after', error.retryAfterSeconds);
  void reply.send(errorReply(error, request.id));
}
