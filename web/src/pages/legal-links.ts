/** Pages of the server, outside the application in the browser. */
export const legalLinks: readonly { label: string; href: string }[] = [
  { label: 'Terms of Service', href: '/terms' },
  { label: 'Privacy Policy', href: '/privacy' },
  { label: 'Cookie Policy', href: '/cookies' },
  { label: 'Licenses', href: '/licenses' },
  { label: 'API Access', href: '/api/docs' },
];
