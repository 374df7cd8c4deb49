import { formatLocale } from './format-language.ts';

/** '€41.20', and '€412' from 100. */
export const money = (amount: number, currency: string): string =>
  amount.toLocaleString(formatLocale ?? 'en', {
    style: 'currency',
    currency,
    ...(amount >= 99.5 && { maximumFractionDigits: 0 }),
  });
