import { choiceParam, searchOf } from '../platform/search-params.ts';

export const settingsTabs = [
  'organisation',
  'sign-up',
  'public-page',
  'retention',
  'messages',
  'depots',
  'map',
  'roles',
  'persons',
] as const;
export type SettingsTab = (typeof settingsTabs)[number];

/** The open tab in the URL; absent for the first one. */
export const SettingsSearch = searchOf({ tab: choiceParam(settingsTabs) });
