import { drawingOf, sourceOf } from './drawing-files.ts';
import { tabDraftsKey } from './clear-tab-drafts.ts';

// Stores text and drawings. Photos of several megabytes exceed the quota of session storage and must be taken again.
const maxDrawingLength = 100_000;

interface TabDrafts {
  userId: string;
  typed: Record<string, unknown>;
}

const serialize = (_: string, value: unknown): unknown => {
  if (!(value instanceof File)) return value;
  const drawing = sourceOf(value);
  return drawing !== null && drawing.length <= maxDrawingLength ? { drawing } : null;
};

/** Photos were left out: they are gone from their list, too. */
const deserialize = (_: string, value: unknown): unknown =>
  Array.isArray(value)
    ? value.filter((one) => one !== null)
    : typeof value === 'object' && value !== null && 'drawing' in value
      ? drawingOf(String(value.drawing))
      : value;

function read(userId: string): TabDrafts['typed'] {
  try {
    const stored = JSON.parse(sessionStorage.getItem(tabDraftsKey) ?? 'null', deserialize) as TabDrafts | null;
    return stored?.userId === userId ? stored.typed : {};
  } catch {
    return {};
  }
}

export const findTabDraft = (userId: string, name: string): unknown => read(userId)[name] ?? null;

/** @param typed the form's input; null deletes the draft */
export function saveTabDraft(userId: string, name: string, typed: unknown): void {
  const { [name]: before, ...others } = read(userId);
  if (typed === null && before === undefined) return;
  const all = typed === null ? others : { ...others, [name]: typed };
  try {
    if (Object.keys(all).length === 0) sessionStorage.removeItem(tabDraftsKey);
    else sessionStorage.setItem(tabDraftsKey, JSON.stringify({ userId, typed: all } satisfies TabDrafts, serialize));
  } catch {
    // Storage is blocked or full: the draft does not survive a reload.
  }
}
