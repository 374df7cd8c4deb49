import { catch as caught, enum as oneOf, object, optional } from 'zod/mini';

export const settingsTabs = ['organisation', 'sign-up', 'public-page', 'retention', 'roles'] as const;
export type SettingsTab = (typeof settingsTabs)[number];

/** The open tab in the URL; absent for the first one. */
export const SettingsSearch = object({ tab: caught(optional(oneOf(settingsTabs)), undefined) });
