/** A step of a first day. Links that the reader may not open are left out. */
export interface FirstDayStep {
  /** For what was ticked, so never changed. */
  id: string;
  title: string;
  /** Commands stand between backticks. */
  text: string;
  links: readonly { href: string; label: string }[];
}

export const ownerSteps: readonly FirstDayStep[] = [
  {
    id: 'owner-return',
    title: 'Say where returns go',
    text: 'After too many failed attempts a package comes back to you. Enter your return address in your profile.',
    links: [{ href: '/account', label: 'Open your account' }],
  },
  {
    id: 'owner-package',
    title: 'Register a package',
    text: 'One by one, or all orders of a day from a CSV file of your shop. A file can be imported twice: nothing is created twice.',
    links: [
      { href: '/owner/create-package', label: 'Create a package' },
      { href: '/owner/import', label: 'Import a file' },
    ],
  },
  {
    id: 'owner-label',
    title: 'Print its label',
    text: 'Right after it was created, or later: open a package in the list and press Print label. Drivers scan it when they load.',
    links: [{ href: '/owner/dashboard?status=processing', label: 'Show what is waiting' }],
  },
  {
    id: 'owner-follow',
    title: 'Follow it, and share it',
    text: 'Your list changes by itself while drivers work. The tracking page of a package is for your recipients: copy its link or its code.',
    links: [
      { href: '/owner/dashboard', label: 'Open your list' },
      { href: '/track', label: 'Open the tracking page' },
    ],
  },
  {
    id: 'owner-told',
    title: 'Choose your notifications',
    text: 'In the app, by email, SMS or push, for each kind of news, and when you want quiet.',
    links: [{ href: '/notifications/preferences', label: 'Choose notifications' }],
  },
  {
    id: 'owner-failed',
    title: 'When a delivery fails',
    text: 'You see why, with the photo of the driver, and choose another attempt, a collection at the depot, or the way back.',
    links: [{ href: '/owner/incidents', label: 'See reported issues' }],
  },
];

export const administratorSteps: readonly FirstDayStep[] = [
  {
    id: 'admin-organisation',
    title: 'Name your organisation',
    text: 'Name, logo and time zone: labels, the tracking page and all messages show them. The zone decides what is on time.',
    links: [{ href: '/admin/settings', label: 'Open the settings' }],
  },
  {
    id: 'admin-depots',
    title: 'Give each depot its address',
    text: 'Routes begin and end there. With an address or a pin, plans know how far everything is.',
    links: [{ href: '/admin/settings?tab=depots', label: 'Open the depots' }],
  },
  {
    id: 'admin-people',
    title: 'Bring your people in',
    text: 'Create accounts for drivers, owners and dispatchers, or let them register and approve them. Roles of your own say what each of them may do.',
    links: [
      { href: '/admin/users', label: 'Manage users' },
      { href: '/admin/settings?tab=roles', label: 'Define roles' },
      { href: '/admin/settings?tab=sign-up', label: 'Who may register' },
    ],
  },
  {
    id: 'admin-messages',
    title: 'See what recipients are told',
    text: 'Email and SMS need their settings on the server. Until then every message is held, and you can read it as it would look.',
    links: [
      { href: '/admin/notifications', label: 'Open the outbox' },
      { href: '/admin/settings?tab=messages', label: 'Change the texts' },
    ],
  },
  {
    id: 'admin-safe',
    title: 'Make it safe',
    text: 'Set up a second factor for yourself. Backups are a command on the server: `npm run cli -- backup`.',
    links: [
      { href: '/account', label: 'Set up a second factor' },
      { href: '/admin/audit', label: 'See the audit log' },
    ],
  },
];

export const dispatcherSteps: readonly FirstDayStep[] = [
  {
    id: 'dispatch-shifts',
    title: 'Plan the shifts',
    text: 'Shifts decide whom a plan uses and when a route ends too late. A week can be copied to the next one.',
    links: [{ href: '/admin/schedule', label: 'Open the schedule' }],
  },
  {
    id: 'dispatch-plan',
    title: 'Make the routes of a day',
    text: 'Tick everything that waits and press Split evenly, or Plan the day for the shortest way. Then drag, sort, or find the best order.',
    links: [{ href: '/admin/dispatch', label: 'Open dispatch' }],
  },
  {
    id: 'dispatch-load',
    title: 'Hand the routes out',
    text: 'Drivers see their round on its day; Release to drivers shows it earlier. Each route has a manifest to print in its menu.',
    links: [{ href: '/admin/dispatch', label: 'Open dispatch' }],
  },
  {
    id: 'dispatch-watch',
    title: 'Watch the day',
    text: 'The timeline shows what will be late before it is; the board shows who is on the road, and what needs you.',
    links: [
      { href: '/admin/dispatch?view=timeline', label: 'Open the timeline' },
      { href: '/admin/dashboard', label: 'Open the board' },
    ],
  },
  {
    id: 'dispatch-ill',
    title: 'When somebody falls ill',
    text: 'In the menu of the route: Driver is ill. Three clicks give each stop another driver, even on the road.',
    links: [{ href: '/admin/dispatch', label: 'Open dispatch' }],
  },
  {
    id: 'dispatch-end',
    title: 'At the end of the day',
    text: 'What is left is counted back in and waits again. Failed attempts wait for their owners, who say what comes next.',
    links: [
      { href: '/admin/inventory?status=processing&failed=true', label: 'Show failed attempts' },
      { href: '/admin/reports', label: 'See the figures' },
    ],
  },
];

/** The steps of a driver, whose texts are in the driver's language. */
export const driverLinks = {
  profile: '/account',
  load: '/driver/dashboard',
  door: '/driver/dashboard?show=mine',
  problem: '/driver/incidents',
  end: '/driver/dashboard?show=completed',
} as const;
