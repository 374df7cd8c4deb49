import { useMutation } from '@tanstack/react-query';
import type { UseMutationOptions, UseMutationResult } from '@tanstack/react-query';
import { useRef } from 'react';

interface Options<Reply, Variables> extends Omit<UseMutationOptions<Reply, Error, Variables>, 'mutationFn'> {
  /** `signal` aborts when the mutation is cancelled. Pass it to every request: what has not been sent by then never is. */
  mutationFn: (variables: Variables, signal: AbortSignal) => Promise<Reply>;
}

type SingleMutation<Reply, Variables> = UseMutationResult<Reply, Error, Variables> & {
  /** Aborts the running mutation. Its last request may have reached the server already, which a toast says. */
  cancel: () => void;
};

/** A mutation that runs at most once at a time, so that a double click sends one request. (`isPending` is set too late for that.) */
export function useSingleMutation<Reply, Variables = void>({
  mutationFn,
  ...options
}: Options<Reply, Variables>): SingleMutation<Reply, Variables> {
  const running = useRef<AbortController>(null);
  const mutation = useMutation<Reply, Error, Variables>({
    ...options,
    async mutationFn(variables) {
      const controller = (running.current ??= new AbortController());
      try {
        return await mutationFn(variables, controller.signal);
      } finally {
        if (running.current === controller) running.current = null;
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
    // Detaches the callbacks given to `mutate`: their dialog is closed.
    mutation.reset();
  };
  return { ...mutation, mutate, cancel };
}
