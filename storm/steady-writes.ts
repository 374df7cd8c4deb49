import { packageInput } from '../server/src/testing/test-product.ts';

export interface Answer {
  /** 0 if there was no response. */
  status: number;
  sentAt: number;
  answeredAt: number;
  /** The id of the created package. */
  id: string | null;
}

/** Creates packages at a steady rate until stopped. @returns the responses so far */
export function writeSteadily(
  url: string,
  token: string,
  perSecond: number,
): { answers: Answer[]; stop(): Promise<unknown> } {
  const inFlight: Promise<void>[] = [];
  const answers: Answer[] = [];
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const body = JSON.stringify(packageInput());
  const write = async () => {
    const sentAt = performance.now();
    const { status, id } = await fetch(`${url}/api/packages`, { method: 'POST', headers, body }).then(
      async (answer) => ({ status: answer.status, id: ((await answer.json()) as { id?: string }).id ?? null }),
      () => ({ status: 0, id: null }),
    );
    answers.push({ status, sentAt, answeredAt: performance.now(), id });
  };
  const writing = setInterval(() => inFlight.push(write()), 1000 / perSecond);
  return {
    answers,
    stop() {
      clearInterval(writing);
      return Promise.all(inFlight);
    },
  };
}
