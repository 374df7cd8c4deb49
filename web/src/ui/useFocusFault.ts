import { useEffect, useRef } from 'react';

/** For a form: when faults come, its first faulty control gets the focus. So it is in view, and its message is read out. */
export function useFocusFault(faults: unknown) {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (faults) form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus();
  }, [faults]);
  return form;
}
