import { packageInput } from '../server/src/testing/test-product.ts';

export interface Answer {
  /** 0 where nothing came. */
  status: number;
  askedAt: number;
  answeredAt: number;
  /** The package's, where it was created. */
  id: string | null;
}

/** Creates packages at a steady rate until it is stopped; tells how each has ended so far. */
export function writeSteadily(
  url: string,
  token: string,
  perSecond: number,
): { answers: Answer[]; stop(): Promise<unknown> } {
  const under: Promise<void>[] = [];
  const answers: Answer[] = [];
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const body = JSON.stringify(packageInput());
  const write = async () => {
    const askedAt = performance.now();
    const { status, id } = await fetch(`${url}/api/packages`, { method: 'POST', headers, body }).then(
      async (answer) => ({ status: answer.status, id: ((await answer.json()) as { id?: string }).id ?? null }),
      () => ({ status: 0, id: null }),
    );
    answers.push({ status, askedAt, answeredAt: performance.now(), id });
  };
  const writing = setInterval(() => under.push(write()), 1000 / perSecond);
  return {
    answers,
    stop() {
      clearInterval(writing);
      return Promise.all(under);
    },
  };
}
