import { useMutation } from '@tanstack/react-query';
import type { UseMutationOptions, UseMutationResult } from '@tanstack/react-query';
import { useRef } from 'react';

interface Options<Reply, Variables> extends Omit<UseMutationOptions<Reply, Error, Variables>, 'mutationFn'> {
  /** `signal` ends when the act is cancelled. Every request of it gets the signal: what has not been sent then never is. */
  mutationFn: (variables: Variables, signal: AbortSignal) => Promise<Reply>;
}

type SingleMutation<Reply, Variables> = UseMutationResult<Reply, Error, Variables> & {
  /** Gives up what runs. Whether its last request had reached the server by then nobody can tell: a toast says so. */
  cancel: () => void;
};

/** A mutation of which one runs at a time: a double click is not a second request. (`isPending` comes a moment too late for that.) */
export function useSingleMutation<Reply, Variables = void>({
  mutationFn,
  ...options
}: Options<Reply, Variables>): SingleMutation<Reply, Variables> {
  const running = useRef<AbortController>(null);
  const mutation = useMutation<Reply, Error, Variables>({
    ...options,
    async mutationFn(variables) {
      const act = (running.current ??= new AbortController());
      try {
        return await mutationFn(variables, act.signal);
      } finally {
        if (running.current === act) running.current = null;
      }
    },
  });
  const mutate: typeof mutation.mutate = (...args) => {
    if (running.current) return;
    running.current = new AbortController();
    mutation.mutate(...args);
  };
  const cancel = () => {
    if (!running.current) return;
    running.current.abort();
    running.current = null;
    // Without the callbacks of whoever has turned away.
    mutation.reset();
  };
  return { ...mutation, mutate, cancel };
}
