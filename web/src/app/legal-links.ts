import { texts } from '../platform/texts.ts';

/** Pages that only the server has, outside the application. @param apiDocs whether it serves its API reference */
export const legalLinks = (apiDocs: boolean): readonly { label: string; href: string }[] => [
  { label: texts.frame.terms, href: '/terms' },
  { label: texts.frame.privacy, href: '/privacy' },
  { label: texts.frame.cookies, href: '/cookies' },
  { label: texts.frame.licenses, href: '/licenses' },
  ...(apiDocs ? [{ label: texts.frame.api, href: '/api/docs' }] : []),
];
