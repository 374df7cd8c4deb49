import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { ApiError } from '@waybill/contract';
import type { StopsResult } from '@waybill/contract';
import { toast } from '../platform/toasts.ts';
import { holdRoutes, refreshDispatch } from './queries.ts';

type Refused = StopsResult['refused'];

/** What an act came to. */
interface Outcome {
  /** Takes it back. Absent where nothing changed, or it cannot be taken back. */
  undo?: () => Promise<Refused | void>;
  refused?: Refused;
  /** For the toast. */
  says?: string;
}

interface Notes {
  /** What was refused, until it is dismissed or the next act. */
  refused: Refused;
  /** Why a route did not change, by its id: somebody else changed it meanwhile. */
  stale: ReadonlyMap<string, string>;
}

const none: Notes = { refused: [], stale: new Map() };

/**
 * Runs acts one after another, in the order of the clicks, so that each sees the versions that the one before left; and walks back.
 * What somebody else changed meanwhile is loaded again and told at its route.
 */
export function useUndo() {
  const [steps, setSteps] = useState<readonly (() => Promise<Refused | void>)[]>([]);
  const [notes, setNotes] = useState(none);
  const [running, setRunning] = useState(0);
  const queue = useRef(Promise.resolve());

  /** @param routeId the route that the act changes */
  const run = (act: () => Promise<Outcome>, routeId?: string): Promise<void> => {
    setRunning((count) => count + 1);
    setNotes(none);
    const task = async () => {
      try {
        const { undo, refused = [], says } = await act();
        if (undo) setSteps((before) => [...before, undo]);
        if (refused.length > 0) setNotes((before) => ({ ...before, refused }));
        if (says !== undefined) toast({ title: says });
      } catch (error) {
        fail(error, routeId);
      } finally {
        refreshDispatch();
        setRunning((count) => count - 1);
      }
    };
    queue.current = queue.current.then(task);
    holdRoutes(queue.current);
    return queue.current;
  };

  const fail = (error: unknown, routeId: string | undefined) => {
    const message = error instanceof Error ? error.message : 'An error occurred';
    const isStale = error instanceof ApiError && (error.code === 'stale' || error.code === 'illegal_step');
    // The screen loads it by itself.
    const told = message.replace(/Please load it again\.$/, 'You see it as it is now.');
    if (isStale && routeId !== undefined)
      setNotes((before) => ({ ...before, stale: new Map(before.stale).set(routeId, told) }));
    else toast({ title: 'Not saved', description: message, variant: 'destructive' });
  };

  const walkBack = () => {
    const last = steps.at(-1);
    if (!last) return;
    setSteps(steps.slice(0, -1));
    void run(async () => ({ refused: (await last()) ?? [], says: 'Taken back' }));
  };

  const press = useEffectEvent((event: KeyboardEvent) => {
    const { key, target, ctrlKey, metaKey, altKey, shiftKey } = event;
    if (key.toLowerCase() !== 'z' || !(ctrlKey || metaKey) || altKey || shiftKey || steps.length === 0) return;
    // There it takes back what was typed.
    if (target instanceof Element && target.closest('input:not([type=checkbox]), textarea')) return;
    if (document.querySelector('[role=dialog], [role=alertdialog]')) return;
    event.preventDefault();
    walkBack();
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => press(event);
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  }, []);

  return { run, walkBack, steps: steps.length, busy: running > 0, notes, dismiss: () => setNotes(none) };
}
export type Undo = ReturnType<typeof useUndo>;
