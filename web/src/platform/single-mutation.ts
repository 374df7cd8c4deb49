import { useMutation } from '@tanstack/react-query';
import type { UseMutationOptions, UseMutationResult } from '@tanstack/react-query';
import { useRef } from 'react';

/** A mutation of which one runs at a time: a double click is not a second request. (`isPending` comes a moment too late for that.) */
export function useSingleMutation<Reply, Variables = void>(
  options: UseMutationOptions<Reply, Error, Variables>,
): UseMutationResult<Reply, Error, Variables> {
  const running = useRef(false);
  const mutation = useMutation<Reply, Error, Variables>({
    ...options,
    onSettled(...args) {
      running.current = false;
      return options.onSettled?.(...args);
    },
  });
  const mutate: typeof mutation.mutate = (...args) => {
    if (running.current) return;
    running.current = true;
    mutation.mutate(...args);
  };
  return { ...mutation, mutate };
}
