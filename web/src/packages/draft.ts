import type { PackageFormInput } from './package-form.ts';

// A session that ends by itself takes the page away. What was typed waits here, in memory only, until its user is back.
let draft: { userId: string; values: PackageFormInput } | null = null;

export const keepDraft = (userId: string, values: PackageFormInput): void => void (draft = { userId, values });

export const findDraft = (userId: string): PackageFormInput | null => (draft?.userId === userId ? draft.values : null);

export const dropDraft = (): void => void (draft = null);
