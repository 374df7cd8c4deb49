import { isOnTheRoad, type PackageStatus } from '@waybill/contract';

/** A call of one client on the package of a history. */
export type Operation =
  | { kind: 'start' | 'next' | 'arrive' | 'complete' | 'fail'; driver: number }
  | { kind: 'cancel' | 'remove' | 'collect' | 'reopen' | 'read'; driver?: undefined };

/** The state of the package in the model; `driver` is the index of a client. */
export interface State {
  status: PackageStatus;
  driver: number | null;
}

/** The observable result: the HTTP status code, and the package's status on success. */
export interface Answer {
  code: number;
  status: PackageStatus | null;
}

export type Step = TimedStep<Operation, Answer>;

const refused = (state: State, code: number) => ({ state, answer: { code, status: null } });
const done = (state: State) => ({ state, answer: { code: 200, status: state.status } });

/** Sequential specification of a package's life cycle, written independently of the contract. */
export function apply(state: State, operation: Operation): { state: State; answer: Answer } {
  const { status } = state;
  if (operation.kind === 'read') return done(state);
  if (operation.kind === 'cancel') {
    if (status === 'cancelled') return done(state);
    return status === 'processing' ? done({ ...state, status: 'cancelled' }) : refused(state, 409);
  }
  if (operation.kind === 'remove') {
    if (status === 'inactive') return done(state);
    return status === 'processing' || status === 'cancelled'
      ? done({ ...state, status: 'inactive' })
      : refused(state, 409);
  }
  if (operation.kind === 'collect') {
    // Collected without a driver.
    if (status === 'delivered' && state.driver === null) return done(state);
    return status === 'processing' ? done({ status: 'delivered', driver: null }) : refused(state, 409);
  }
  if (operation.kind === 'reopen') {
    if (status !== 'delivered') return refused(state, 409);
    return done({ ...state, status: state.driver === null ? 'processing' : 'in transit' });
  }
  const own = state.driver === operation.driver;
  if (operation.kind === 'start') {
    if (own && (isOnTheRoad(status) || status === 'delivered')) return done(state);
    return status === 'processing' ? done({ status: 'in transit', driver: operation.driver }) : refused(state, 409);
  }
  // Every driver sees pending packages; only their own driver sees the others.
  if (!own) return refused(state, status === 'processing' ? 409 : 404);
  switch (operation.kind) {
    case 'next':
    case 'arrive':
      return isOnTheRoad(status) ? done({ ...state, status: 'out for delivery' }) : refused(state, 409);
    case 'complete':
      return isOnTheRoad(status) || status === 'delivered'
        ? done({ ...state, status: 'delivered' })
        : refused(state, 409);
    case 'fail':
      return isOnTheRoad(status) ? done({ status: 'processing', driver: null }) : refused(state, 409);
  }
}

/** A call of one client, its answer, and when it was sent and answered. */
export interface TimedStep<Operation, Answer> {
  operation: Operation;
  answer: Answer;
  invokedAt: number;
  answeredAt: number;
}

/** Whether the steps on one package are linearizable. */
export const isLinearizable = (steps: Step[], initial: State): boolean => isLinearizableBy(steps, initial, apply);

/**
 * Whether the steps are linearizable: an order exists that respects real time and in which the model gives the same answers.
 * The search of Wing and Gong (1993), with Lowe's (2017) memoization of visited (state, set of steps); at most 30 steps.
 * @param apply the model: states and answers are compared by their JSON
 */
export function isLinearizableBy<State, Operation, Answer>(
  steps: TimedStep<Operation, Answer>[],
  initial: State,
  apply: (state: State, operation: Operation) => { state: State; answer: Answer },
): boolean {
  const answers = steps.map(({ answer }) => JSON.stringify(answer));
  const visited = new Set<string>();
  const search = (state: State, taken: number): boolean => {
    if (taken === 2 ** steps.length - 1) return true;
    const key = `${taken} ${JSON.stringify(state)}`;
    if (visited.has(key)) return false;
    visited.add(key);
    const open = steps.flatMap((step, index) => (taken & (1 << index) ? [] : [{ step, index }]));
    const firstAnswer = Math.min(...open.map(({ step }) => step.answeredAt));
    return open.some(({ step, index }) => {
      // A step invoked after another was answered cannot precede it.
      if (step.invokedAt > firstAnswer) return false;
      const { state: next, answer } = apply(state, step.operation);
      return JSON.stringify(answer) === answers[index] && search(next, taken | (1 << index));
    });
  };
  return search(initial, 0);
}
