import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { networkOf } from '../origin/addresses.ts';
import { AppError, unavailable } from '../errors.ts';
import { errorReply } from '../errors.ts';
import { boundsOf, loadClassNames, type LoadClass } from './load-classes.ts';
import { openPendingBodies, type PendingBodies } from './pending-bodies.ts';
import { openProgress, type Progress } from './transfer-progress.ts';
import { createConcurrencyLimit, type LimitedRequest, type ConcurrencyLimit } from './concurrency-limit.ts';
import type { Actor } from '../auth/sessions.ts';

/** For the body to arrive, for the handler, and for the answer to be taken; what carries files or pages gets longer, in all. */
const patience = {
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
    /** The handler reads the body, and calls `enterClass` when it is there. */
    readsBody?: true;
  }
  interface FastifyRequest {
    place: Place | null;
    /** Who calls, where the endpoint needs a session. */
    actor: Actor | null;
  }
}

/** A request under way. */
interface Place extends LimitedRequest {
  load: LoadClass;
  request: FastifyRequest;
  reply: FastifyReply;
  control: Control;
  /** When it has taken too long, by the monotonic clock. */
  until: number;
  /** It has its place in the class; before, its token is looked up and its body is on its way. */
  hasEntered: boolean;
  /** Of what may take long. */
  progress: Progress | null;
  /** Its body is waited for no longer. */
  bodyIsThere: () => void;
}

interface Control {
  patience: typeof patience;
  shedsLoad: boolean;
  limits: Record<LoadClass, ConcurrencyLimit>;
  shed: Record<LoadClass, number>;
  places: Set<Place>;
  pending: Record<'bodies' | 'files', PendingBodies>;
}

export interface Admission {
  inFlight(load: LoadClass): number;
  /** How many were turned away since the start. */
  shed(load: LoadClass): number;
}

const nothing = () => {};

/**
 * Lets requests in, and ends what takes too long. Holds for routes that come after it. In this order: the route's own `onRequest`
 * looks at the token, the body is waited for outside of every class, and only then is a place in the class taken.
 */
export function admit(app: FastifyInstance, shedsLoad: boolean, shorter: Partial<typeof patience> = {}): Admission {
  const bounds = (load: LoadClass) => (shedsLoad ? boundsOf(load) : { room: Infinity });
  const control: Control = {
    patience: { ...patience, ...shorter },
    shedsLoad,
    limits: Object.fromEntries(
      loadClassNames.map((load) => [load, createConcurrencyLimit(bounds(load))]),
    ) as Control['limits'],
    shed: Object.fromEntries(loadClassNames.map((load) => [load, 0])) as Control['shed'],
    places: new Set(),
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
    route.onRequest = [(request, reply, done) => arrive(control, load, request, reply, done), ...others, awaitBody];
    if (!route.config?.readsBody) route.preHandler = [...asList(route.preHandler), enterBeforeHandler];
  });
  // What is not found is no route, but has a body all the same.
  app.addHook('onRequest', (request, reply, done) => {
    if (!request.is404) return done();
    arrive(control, request.method === 'GET' ? 'pages' : 'rest', request, reply, () => awaitBody(request, reply, done));
  });
  app.addHook('preHandler', (request, reply, done) =>
    request.is404 ? enterBeforeHandler(request, reply, done) : done(),
  );
  // One timer for all: one for each request would be the dearest part of a lookup.
  const sweep = setInterval(() => {
    const now = performance.now();
    for (const place of control.places) if (now > place.until || isTooSlow(place, now)) end(place);
  }, control.patience.sweepMs).unref();
  app.addHook('onClose', (_app, done) => {
    clearInterval(sweep);
    done();
  });
  return { inFlight: (load) => control.limits[load].size(), shed: (load) => control.shed[load] };
}

const asList = <H>(hooks: H | H[] | undefined): H[] =>
  hooks === undefined ? [] : Array.isArray(hooks) ? hooks : [hooks];

function arrive(control: Control, load: LoadClass, request: FastifyRequest, reply: FastifyReply, done: () => void) {
  const { readMs, slowMs, windowMs } = control.patience;
  const { long } = boundsOf(load);
  const place: Place = {
    load,
    request,
    reply,
    control,
    party: '',
    isSignedIn: false,
    until: performance.now() + (long ? slowMs : readMs),
    hasEntered: false,
    progress: long ? openProgress(windowMs) : null,
    bodyIsThere: nothing,
    start: nothing,
  };
  request.place = place;
  control.places.add(place);
  // Comes after every answer, and when somebody hangs up before there is one.
  reply.raw.once('close', () => leavePlace(request));
  // What names nothing is not found, however long it is.
  if (request.url.length > maxUrlLength && !request.is404)
    return turnAway(place, new AppError('too_large', 'The address is too long'));
  place.load = request.routeOptions.config.loadOf?.(request) ?? load;
  // Where all the class is full a flood is turned away here, before it costs more than this.
  if (control.shedsLoad && !long && control.limits[place.load].size() >= boundsOf(place.load).room) {
    control.shed[place.load]++;
    return turnAway(place, unavailable());
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
  const { place } = request;
  if (place && hasBody(request) && place.control.shedsLoad) {
    const network = networkOf(request.ip);
    const kind = request.routeOptions.config.readsBody ? 'files' : 'bodies';
    const announced = Number(request.headers['content-length'] ?? largest[kind]);
    place.bodyIsThere = place.control.pending[kind].add({
      party: request.actor?.id ?? network,
      network,
      bytes: Math.min(announced, largest[kind]),
      cut: () => {
        place.control.shed[place.load]++;
        turnAway(place, unavailable());
      },
    });
  }
  done();
}

const enterBeforeHandler = (request: FastifyRequest, _reply: FastifyReply, done: () => void): void => {
  if (request.place) enter(request.place, done);
  else done();
};

/** For handlers that read the body themselves: takes the place in the class. @returns false when there is none, which has been answered */
export async function enterClass({ place }: FastifyRequest): Promise<boolean> {
  if (!place) return true;
  return new Promise((resolve) => {
    if (!enter(place, () => resolve(true))) resolve(false);
  });
}

function enter(place: Place, start: () => void): boolean {
  const { control, request } = place;
  place.bodyIsThere();
  // Nobody waits any more for what took too long or was hung up on.
  if (!control.places.has(place)) return false;
  const { each, eachAddress } = boundsOf(place.load);
  place.isSignedIn = request.actor !== null;
  if (each !== undefined || eachAddress !== undefined) place.party = request.actor?.id ?? networkOf(request.ip);
  place.start = start;
  if (place.progress) place.progress.rest();
  else place.until = performance.now() + control.patience.answerMs;
  place.hasEntered = true;
  const room = control.limits[place.load];
  if (room.acquire(place) || (cutStalled(place) && room.acquire(place))) return true;
  place.hasEntered = false;
  control.shed[place.load]++;
  turnAway(place, unavailable());
  return false;
}

/** Where pages and pictures have no room left, who has stopped reading gives way: first of the same party, which has used up its share. */
function cutStalled({ load, party, isSignedIn, control }: Place): boolean {
  const { long, room } = boundsOf(load);
  if (!long || isSignedIn) return false;
  const now = performance.now();
  const stalled = [...control.places].filter(
    (place) => place.load === load && (place.progress?.stalledFor(now) ?? 0) > control.patience.stalledMs,
  );
  const isFull = control.limits[load].size() >= room;
  const victim = stalled.find((place) => place.party === party) ?? (isFull ? stalled[0] : undefined);
  if (victim) end(victim);
  return victim !== undefined;
}

/** The answer is there: from now on it is up to the reader. */
export function startAnswering({ place }: FastifyRequest): void {
  if (place && !place.progress) place.until = performance.now() + place.control.patience.takenMs;
}

/** Streams release their slot as soon as they are open: a connection that lasts must not count as a request in flight. */
export function leavePlace({ place }: FastifyRequest): void {
  if (!place?.control.places.delete(place)) return;
  place.bodyIsThere();
  if (place.hasEntered) place.control.limits[place.load].release(place);
}

/** Looks up a token that nobody remembers: a question to the database that no class has room for yet. */
export async function withTokenPlace<T>({ ip, place }: FastifyRequest, lookUp: () => Promise<T>): Promise<T> {
  if (!place) return lookUp();
  const { limits, shed } = place.control;
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

function isTooSlow({ progress, hasEntered, request, reply }: Place, now: number): boolean {
  if (!progress) return false;
  const { socket } = request.raw;
  if (reply.raw.headersSent) return progress.isTooSlow(socket.bytesWritten - socket.writableLength, now);
  if (!hasEntered && !request.raw.complete) return progress.isTooSlow(socket.bytesRead, now);
  progress.rest();
  return false;
}

function end(place: Place): void {
  const { request, reply, hasEntered } = place;
  // Half an answer cannot be taken back, nor is somebody told who does not read.
  if (reply.sent || reply.raw.headersSent) {
    leavePlace(request);
    request.raw.destroy();
    return;
  }
  turnAway(place, hasEntered ? unavailable() : new AppError('request_timeout', 'The request took too long to arrive'));
}

/** Answers at once, without the way through the error handler: a flood would fill the log. */
function turnAway(place: Place, error: AppError): void {
  const { request, reply } = place;
  leavePlace(request);
  if (reply.sent) return;
  closeUnlessRead(request, reply);
  // Whoever is slow in sending would keep the connection; a busy server's own slowness is no fault of its caller.
  if (reply.getHeader('connection') === 'close') reply.raw.once('finish', () => request.raw.destroy());
  reply.code(error.status);
  if (error.retryAfterSeconds) reply.header('retry-after', error.retryAfterSeconds);
  void reply.send(errorReply(error, request.id));
}
