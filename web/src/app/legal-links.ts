/** Pages that only the server has, outside the application. @param apiDocs whether it serves its API reference */
export const legalLinks = (apiDocs: boolean): readonly { label: string; href: string }[] => [
  { label: 'Terms of Service', href: '/terms' },
  { label: 'Privacy Policy', href: '/privacy' },
  { label: 'Cookie Policy', href: '/cookies' },
  { label: 'Licenses', href: '/licenses' },
  ...(apiDocs ? [{ label: 'API Access', href: '/api/docs' }] : []),
];
