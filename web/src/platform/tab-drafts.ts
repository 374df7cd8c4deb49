import { drawingOf, sourceOf } from './drawings.ts';
import { tabDraftsKey } from './clear-tab-drafts.ts';

// What is kept here is text and what was drawn. A photo of several megabytes has no room, and is taken again.
const maxDrawingLength = 100_000;

interface TabDrafts {
  userId: string;
  typed: Record<string, unknown>;
}

const asText = (_: string, value: unknown): unknown => {
  if (!(value instanceof File)) return value;
  const drawing = sourceOf(value);
  return drawing !== null && drawing.length <= maxDrawingLength ? { drawing } : null;
};

const asTyped = (_: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && 'drawing' in value ? drawingOf(String(value.drawing)) : value;

function read(userId: string): TabDrafts['typed'] {
  try {
    const kept = JSON.parse(sessionStorage.getItem(tabDraftsKey) ?? 'null', asTyped) as TabDrafts | null;
    return kept?.userId === userId ? kept.typed : {};
  } catch {
    return {};
  }
}

export const findTabDraft = (userId: string, name: string): unknown => read(userId)[name] ?? null;

/** @param typed null: nothing to keep any more */
export function saveTabDraft(userId: string, name: string, typed: unknown): void {
  const { [name]: before, ...others } = read(userId);
  if (typed === null && before === undefined) return;
  const all = typed === null ? others : { ...others, [name]: typed };
  try {
    if (Object.keys(all).length === 0) sessionStorage.removeItem(tabDraftsKey);
    else sessionStorage.setItem(tabDraftsKey, JSON.stringify({ userId, typed: all } satisfies TabDrafts, asText));
  } catch {
    // Storage that is blocked or full: the draft lives as long as the page.
  }
}
