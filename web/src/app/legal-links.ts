/** Pages of the server, outside the application in the browser. @param apiDocs whether it serves the reference of the API */
export const legalLinks = (apiDocs: boolean): readonly { label: string; href: string }[] => [
  { label: 'Terms of Service', href: '/terms' },
  { label: 'Privacy Policy', href: '/privacy' },
  { label: 'Cookie Policy', href: '/cookies' },
  { label: 'Licenses', href: '/licenses' },
  ...(apiDocs ? [{ label: 'API Access', href: '/api/docs' }] : []),
];
