import type { NotificationKind } from '@waybill/contract';
import { noticeTexts } from './texts.ts';

/** What the outbox, which is in English, calls a kind. */
export const nameOfNotificationKind = (kind: NotificationKind): string => noticeTexts('en').kinds[kind].label;
