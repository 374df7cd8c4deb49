import type { Audience, TypesNotifying } from '../event-rules.ts';

// The texts in English, which every translation follows. A language is a file beside this one, named by its code. `{name}` is a
// placeholder, which a translation keeps.

interface Message {
  title: string;
  body: string;
}

/** Suffixes of the keys of templates. `again`: there was another driver before. `many`: the last one of a day. `themselves`: the reader did it. */
type Variant = 'again' | 'many' | 'themselves';

type Templates = {
  [To in Audience]: { [Type in TypesNotifying<To>]: Message } & {
    [Type in TypesNotifying<To> as `${Type}/${Variant}`]?: Message;
  };
};

const incidents = {
  'issue.reported': {
    title: 'Issue reported',
    body: 'Incident {incidentNumber} on {packageName} has been opened: {incidentType}.',
  },
  'incident.investigating': {
    title: 'Issue under investigation',
    body: 'Incident {incidentNumber} on {packageName} is being investigated{reason}.',
  },
  'incident.resolved': {
    title: 'Issue resolved',
    body: 'Incident {incidentNumber} on {packageName} has been resolved{reason}.',
  },
  'incident.reopened': {
    title: 'Issue reopened',
    body: 'Incident {incidentNumber} on {packageName} is being investigated again{reason}.',
  },
};

export const texts = {
  /** The language, as its speakers call it. */
  language: 'English',
  /** For Intl. */
  locale: 'en-GB',
  chooseLanguage: 'Language',
  notFound: {
    title: 'Package Not Found',
    text: "The page you're looking for doesn't exist or has been moved to another location.",
    home: 'Return Home',
  },
  landing: {
    description: 'Register packages, deliver them and follow them live.',
    title: 'Seamless Package Delivery for the Modern World',
    lead: 'Register a package, hand it to a driver, follow it live. Waybill runs on your own server, and everyone who is waiting knows where it is.',
    track: 'Track a Package',
    more: 'Learn More',
    rolesTitle: 'Choose Your Role',
    rolesLead: 'Each role sees exactly what it needs.',
    roles: {
      owner: 'Register packages, get a tracking ID for each, and see who carries them and where they are.',
      driver: 'Pick up pending deliveries, start them, report what goes wrong and complete them at the door.',
      admin: 'Oversee deliveries and incidents, manage users and their permissions.',
    },
    toDashboard: 'Go to your dashboard',
    continueAs: 'Continue as {role}',
    featuresTitle: 'Everything a package needs on its way',
    featuresLead: 'From the first label to the handover. Features still in the works are marked.',
    comingSoon: 'Coming soon',
    features: {
      tracking: {
        title: 'Real-Time Tracking',
        text: "A package's public page updates by itself, within a second, for everyone who has its tracking ID.",
      },
      security: {
        title: 'Secure Delivery',
        text: 'Each package has exactly one driver, every step is recorded, and addresses stay with those who need them.',
      },
      notifications: {
        title: 'Smart Notifications',
        text: 'Owners are told in the app at every change. Email, SMS and push are coming soon.',
      },
      routes: { title: 'Route Optimization', text: "A driver's stops of the day in the best order." },
      preferences: {
        title: 'Delivery Preferences',
        text: 'Preferred times and special handling, from the form to the doorstep.',
      },
      analytics: {
        title: 'Analytics Dashboard',
        text: 'On-time rates, delivery times and open issues, computed from what really happened.',
      },
    },
    startTitle: 'Ready to Get Started?',
    start: 'Create an account and send your first package today.',
    createAccount: 'Create Your Account',
    trackingId: 'Tracking ID',
    picture:
      'A picture of one parcel in three places: its printed label, the tracker of whoever waits for it, and the phone of the driver who brings it.',
    sample: 'The pictures show the real screens with sample data.',
    proofTitle: 'One command.\nYour disk.\nNobody’s cloud.',
    proofLead:
      'One program serves the web application, the database and the files. It needs Node 20 or later and git; PostgreSQL is included, or you use your own.',
    commands: 'command sets everything up and starts it',
    requests: 'requests to other servers: every page forbids them',
    operations: 'operations in an open API: whatever a screen does, a program can do',
    copyCommand: 'Copy the command',
  },
  about: {
    title: 'About Us',
    description: 'What Waybill is, how it works and what a visitor can see.',
    intro: 'Waybill registers packages, hands them to drivers and shows everyone who is waiting where they are.',
    data: 'It runs on a server of its own. Whoever runs this one keeps the data: which packages there are, who sends and receives them, and who carries them. Waybill sends none of it anywhere else.',
    howTitle: 'How it works',
    how: "An owner registers a package and gets a tracking ID. A driver picks the package up, marks it as the next stop and completes the delivery at the door. Each step is recorded once, and from this record come the timeline, the public tracking page and the owner's notifications.",
    visitorsTitle: 'What a visitor can see',
    visitors:
      'Anyone with a tracking ID sees the state of that package on its {trackingPage}, without an account. Contact details and addresses are never on it, and 30 days after delivery the recipient’s name and the places disappear from it too.',
    trackingPage: 'tracking page',
  },
  contact: {
    title: 'Contact',
    description: 'Who can help with a package or an account.',
    intro: "Let's get you to the right person.",
    waitingTitle: 'Waiting for a package?',
    waiting:
      'The {trackingPage} shows what is known about it. For anything else ask whoever sent it: they see the driver and can reach them.',
    trackingPage: 'tracking page',
    sentTitle: 'Sent a package?',
    sentText:
      "Open the package on your dashboard. 'Carrier Info' shows who carries it and how to reach them; 'Report Issue' tells the administrators what went wrong.",
    otherTitle: 'Anything else',
    other: 'Write to the administrators of this server, even if you cannot sign in. They answer by email.',
    name: 'Name',
    email: 'Email',
    trackingId: 'Tracking ID',
    trackingIdHint: 'If it is about a package',
    message: 'Message',
    honeypot: 'Leave this empty',
    send: 'Send Message',
    sending: 'Sending...',
    arrived: 'Your message has arrived',
    answer: 'The administrators answer by email.',
    notSent: 'Your message was not sent',
    failed: 'An error occurred',
  },
  signIn: {
    title: 'Welcome back',
    subtitle: 'Sign in to your {organisation} account.',
    noAccount: "Don't have an account?",
    register: 'Register',
    forgot: 'Forgot password?',
    email: 'Email',
    password: 'Password',
    submit: 'Sign In',
    submitting: 'Signing in…',
    successTitle: 'Login successful',
    success: 'Welcome back!',
    failedTitle: 'Login Failed',
    codeTitle: 'Enter the code',
    codeSubtitle: 'Your account has a second factor.',
    code: 'Code',
    codeHint: 'The six digits that your authenticator app shows now',
    recoveryCode: 'Recovery Code',
    recoveryCodeHint: 'One of those that you were shown when you set up the second factor. Each works once.',
    withApp: 'Use a code from the app',
    withRecoveryCode: 'Use a recovery code',
    back: 'Back to Sign In',
    forgotTitle: 'Forgot your password?',
    forgotSubtitle: 'Enter the email address of your account.',
    ask: 'Ask for a New Password',
    asking: 'Sending…',
    asked: 'Your request has been received',
    resetTitle: 'Set a new password',
    resetSubtitle: 'It signs you out everywhere else.',
    oneTimeSubtitle: 'You signed in with a one-time password. Choose your own to go on.',
    oneTimePassword: 'One-Time Password',
    newPassword: 'New Password',
    confirmPassword: 'Confirm Password',
    passwordHint: 'At least 6 characters',
    setPassword: 'Set New Password',
    saving: 'Saving…',
    changedTitle: 'Password changed',
    changed: 'Sign in with your new password.',
    changedOneTime: 'Use it from now on.',
    notChangedTitle: 'Password not changed',
    linkTitle: 'This link does not work',
    linkIncomplete: 'This link is not complete. Please copy all of it.',
    newLink: 'Ask for a New Link',
  },
  registration: {
    title: 'Create your account',
    subtitle: 'It takes a minute.',
    haveAccount: 'Already have an account?',
    signIn: 'Sign In',
    signedInAs: "You are signed in as {name}. A new account takes this one's place in this browser.",
    iAmA: 'I am a',
    tasks: { owner: 'Ship and track packages', driver: 'Pick up and deliver', admin: 'Oversee operations' },
    needsApproval: 'Needs approval by an administrator',
    closed: 'Closed on this server',
    name: 'Name',
    submit: 'Create Account',
    submitting: 'Creating your account…',
    successTitle: 'Registration successful',
    success: 'Welcome to {organisation}! You are registered as {role}.',
    failedTitle: 'Registration failed',
    failed: 'Something went wrong. Please try again.',
    activatedTitle: 'Account activated',
    activated: 'An administrator has approved your account. Welcome!',
    awaitsTitle: 'Your account awaits approval',
    awaits:
      'You are registered as {role}. An administrator has to activate your account before you can use it. This page goes on by itself as soon as that has happened.',
    removedTitle: 'Your account is no longer there',
    removed: 'An administrator has removed it or signed you out. If you can still sign in, it is there.',
    notApprovedTitle: 'Your account was not approved',
    notApproved: 'An administrator has decided against it. If you think that is a mistake, write to us.',
    track: 'Track a Package',
    contact: 'Contact',
  },
  roles: { owner: 'Package Owner', driver: 'Delivery Driver', admin: 'Administrator' },
  /** Of forms. */
  optional: '(optional)',
  /** Messages of forms and of the server, by their English text. One that is not here is shown in English. */
  faults: {
    'Too many requests. Please wait a moment and try again.': 'Too many requests. Please wait a moment and try again.',
    'This package has had too many messages. Please try again tomorrow.':
      'This package has had too many messages. Please try again tomorrow.',
    'The sender of this package takes no messages about it any more.':
      'The sender of this package takes no messages about it any more.',
    'Please enter a valid email address': 'Please enter a valid email address',
    'Password must be at least 6 characters': 'Password must be at least 6 characters',
    'Password must be at most 128 characters': 'Password must be at most 128 characters',
    'Password contains characters that are not allowed': 'Password contains characters that are not allowed',
    'This password is too common. Please choose another one.':
      'This password is too common. Please choose another one.',
    'Please choose another password': 'Please choose another password',
    "Passwords don't match": "Passwords don't match",
    'Please enter your present password': 'Please enter your present password',
    'The current password is not right': 'The current password is not right',
    'Please enter the code': 'Please enter the code',
    'This code is not right. Please try again.': 'This code is not right. Please try again.',
    'This code is too long': 'This code is too long',
    'Name must be at least 2 characters': 'Name must be at least 2 characters',
    'Message must be at least 10 characters': 'Message must be at least 10 characters',
    'Invalid email or password. Please try again.': 'Invalid email or password. Please try again.',
    'Authentication required. Please log in again.': 'Authentication required. Please log in again.',
    'Your account is not active. Please contact support.': 'Your account is not active. Please contact support.',
    'You do not have permission to perform this action': 'You do not have permission to perform this action',
    'This delivery has already been started by another driver':
      'This delivery has already been started by another driver',
    'This delivery is no longer available': 'This delivery is no longer available',
  },
  frame: {
    home: '{organisation} home',
    main: 'Main',
    mainCollapsed: 'Main, collapsed',
    menu: 'Menu',
    openMenu: 'Open menu',
    closeMenu: 'Close menu',
    skip: 'Skip to content',
    reconnecting: 'Reconnecting…',
    search: 'Search',
    searchAndCommands: 'Search and commands',
    dashboard: 'Dashboard',
    signIn: 'Sign In',
    register: 'Register',
    account: 'Account',
    notifications: 'Notifications',
    yourNotifications: 'Your notifications',
    unread: 'Your notifications, {count} unread',
    issues: 'Reported Issues',
    shortcuts: 'Keyboard shortcuts',
    logout: 'Logout',
    trackPackage: 'Track Package',
    createPackage: 'Create New Package',
    ownerDashboard: 'Package Owner Dashboard',
    driverDashboard: 'Driver Dashboard',
    adminDashboard: 'Admin Dashboard',
    userManagement: 'User Management',
    quickLinks: 'Quick Links',
    forUsers: 'For Users',
    legal: 'Legal',
    homePage: 'Home',
    about: 'About Us',
    contact: 'Contact',
    terms: 'Terms of Service',
    privacy: 'Privacy Policy',
    cookies: 'Cookie Policy',
    licenses: 'Licenses',
    api: 'API Access',
    claim: 'Packages registered, delivered and followed live, on your own server.',
    rights: '© {year} {organisation}. All rights reserved.',
    theme: 'Theme',
    themes: { system: 'System theme', light: 'Light theme', dark: 'Dark theme' },
  },
  /** The titles of tabs that are not the heading of their page. */
  titles: { forgot: 'Forgot password', newPassword: 'Set a new password' },
  /** The labels of a package's status. */
  statuses: {
    processing: 'Processing',
    'in transit': 'Out for Delivery',
    'out for delivery': 'Out for Delivery',
    delivered: 'delivered',
    cancelled: 'cancelled',
  },
  track: {
    title: 'Track Your Package',
    subtitle: 'Enter your tracking ID to get real-time updates on your package status.',
    description: 'Enter a tracking ID and see where the package is, live.',
    titleOf: 'Track {id}',
    fieldLabel: 'Tracking ID',
    fieldHint: "It is in the sender's message and under the bar code of the label.",
    submit: 'Track',
    tooShort: 'Tracking ID must be at least 5 characters.',
    loading: 'Loading package',
    notFound: 'Package not found',
    notFoundDetail: "We couldn't find a package with the tracking ID: {id}. Please check the ID and try again.",
    retry: 'Retry',
    failed: 'An error occurred',
    request: 'Request {id}',
    live: 'Live',
    copyId: 'Copy tracking ID {id}',
    copied: 'Copied',

    // The answer: each in two lines, which read as one sentence.
    deliveredOn: 'Delivered {day} at',
    deliveredTime: '{time}',
    arrivingOn: 'Arriving {day},',
    wasExpectedOn: 'Was expected {day},',
    byTime: 'by {time}',
    arriving: 'Arriving',
    wasExpected: 'Was expected',
    day: '{day}',
    gettingReady: 'Getting ready',
    toShip: 'to ship',
    thisDelivery: 'This delivery was',
    cancelled: 'cancelled',
    noLonger: 'No longer',
    tracked: 'tracked',
    newDelivery: 'A new delivery is',
    beingArranged: 'being arranged',
    lastAttempt: 'The last attempt failed,',
    newAttempt: 'a new one follows',

    // The line under it.
    onTheWay: "It's on the way to you",
    stopAway: "You're 1 stop away",
    stopsAway: "You're {stops} stops away",
    nextStop: "You're the next stop",
    nextStopOf: "You're {carrier}'s next stop",
    late: 'Later than planned, and still on its way',
    lateNextStop: "Later than planned, but you're the next stop",
    lateNextStopOf: "Later than planned, but you're {carrier}'s next stop",
    noHourYet: 'The hour comes when the van leaves',
    noDayYet: 'The day is not known yet',
    overdue: 'It has not left yet. The new day will show here.',
    driverGone: 'The driver who has it is no longer available.',
    backAt: 'Nothing is lost: it is at {place}.',
    backSafe: 'Nothing is lost: a new attempt is being arranged.',
    deliveredIn: 'Handed over in {place}',
    handedOver: 'Handed over',
    notComing: 'It will not be delivered.',

    // Steps.
    progress: 'Delivery progress',
    preparing: 'Preparing',
    inTransit: 'In Transit',
    delivered: 'Delivered',
    since: 'since {time}',
    next: 'next',

    // Who brings it, and who sent it.
    carrierComes: '{carrier} is on the way to you',
    nameSentBy: '{name}, sent by {sender}',
    sentBy: 'Sent by {sender}',
    share: 'Share',
    linkCopied: 'Link copied',
    shareText: 'Follow the delivery of {name}',
    takeAlong: 'Take it with you',
    scan: 'Scan to follow on your phone',

    history: 'History',
    details: 'Details',
    trackAnother: 'Track another',
    currentLocation: 'Current Location',
    withDriver: 'With the driver',
    estimatedArrival: 'Estimated Arrival',
    arranging: 'Being arranged',
    lastUpdate: 'Last Update',
    recipient: 'Recipient',
    sender: 'Sender',
    carrier: 'Carrier',
    category: 'Category',
    weight: 'Weight',
    notSpecified: 'Not specified',
    kilograms: '{weight} kg',
    categories: {
      Electronics: 'Electronics',
      Clothing: 'Clothing',
      Books: 'Books',
      Furniture: 'Furniture',
      Food: 'Food',
      Toys: 'Toys',
      Documents: 'Documents',
      Medical: 'Medical',
      Other: 'Other',
    },

    /** What happened, by type of event; `now`, `then` and `by` say more where more is known. */
    events: {
      'package.created': 'Registered for shipping',
      'package.created/by': 'Registered by {sender}',
      'package.updated': 'Details updated',
      'package.cancelled': 'Cancelled',
      'package.deleted': 'Removed',
      'delivery.started': 'Picked up by the driver',
      'delivery.deferred': 'Moved behind other stops',
      'delivery.arrived': 'The driver arrived',
      'delivery.located': 'Place reported by the driver',
      'delivery.completed': 'Delivered',
      'delivery.failed': 'Delivery attempt failed',
      'delivery.assigned': 'Handed to a driver',
      'delivery.released': 'Taken back from the driver',
      'package.returned': 'Returned to the sender',
      'package.collected': 'Collected at the depot',
      'delivery.reopened': 'Reopened: not delivered after all',
      'delivery.next/now': "You're the next stop",
      'delivery.next/then': 'You were the next stop',
      'delivery.out/by': 'Out for delivery with {carrier}',
    },

    message: {
      title: 'Message to the sender',
      hint: 'The sender of the package reads it, and answers by email.',
      text: 'Message',
      replyTo: 'Your email',
      replyToHint: 'For the answer. It is not shown on this page.',
      honeypot: 'Leave this empty',
      send: 'Send Message',
      sending: 'Sending...',
      sent: 'Your message is on its way',
      sentHint: 'The sender answers by email.',
      another: 'Write another message',
      notSent: 'Your message was not sent',
    },
    /** The tab of somebody who waits: the answer in one line. */
    nextStopTitle: 'Next stop: you',
    deliveredTitle: 'Delivered',
    failedTitle: 'The last attempt failed',

    /** The drawing, for those who do not see it. */
    scene: {
      road: 'Drawing: the van is on the road from the depot to your door.',
      next: 'Drawing: the van stops right before your door.',
      delivered: 'Drawing: your door is open, and the parcel stands on the mat.',
      missed: 'Drawing: your door is closed, with a card at it, and the van drives on.',
      asleep: 'Drawing: a depot with closed gates.',
      waiting: 'Drawing: your parcel stands in the dock of the depot, and the van waits beside it.',
      stopped: 'Drawing: your parcel stands in the dock of the depot, and no van waits.',
    },
    yours: 'Yours',
  },
  /** Reading labels with the camera. */
  scan: {
    open: 'Scan',
    title: 'Scan a label',
    hint: 'Hold the QR code or the bar code of the label into the picture.',
    starting: 'Starting the camera…',
    picture: 'The picture of the camera',
    lightOn: 'Turn the light on',
    lightOff: 'Turn the light off',
    soundOn: 'Turn the sound on',
    soundOff: 'Turn the sound off',
    found: 'Found {id}',
    foreign: 'This is not the code of a label: {text}',
    refused: 'The camera is blocked for this site. Allow it in the settings of your browser, then try again.',
    none: 'This device has no camera. Type the ID below.',
    busy: 'Another app is using the camera. Close it, then try again.',
    insecure: 'Browsers allow the camera on secure pages (https) only. Type the ID below.',
    failed: 'The camera gives no picture.',
    notLoaded: 'The scanner could not be loaded. Check your connection, then try again.',
    again: 'Try again',
    typeInstead: 'Or type the tracking ID',
    take: 'Open',
    invalid: 'A tracking ID is PKG- and 8 letters or digits.',
    close: 'Close',
  },
  notifications: {
    /** By audience and event type. The subject is “package”, as a name may be a plural. */
    templates: {
      owner: {
        'delivery.started': { title: 'Out for Delivery', body: 'Your package “{packageName}” is on its way.' },
        'delivery.next': { title: 'Next stop', body: "Your package “{packageName}” is the driver's next stop." },
        'delivery.completed': { title: 'Delivered', body: 'Your package “{packageName}” has been delivered.' },
        'delivery.failed': {
          title: 'Delivery attempt failed',
          body: 'Your package “{packageName}” could not be delivered{reason}. It waits for another driver.',
        },
        'delivery.assigned': {
          title: 'Driver assigned',
          body: 'Your package “{packageName}” has been given to a driver.',
        },
        'delivery.assigned/again': {
          title: 'Driver assigned',
          body: 'Your package “{packageName}” has been given to another driver.',
        },
        'delivery.released': {
          title: 'Waiting for another driver',
          body: 'Your package “{packageName}” was taken back from its driver and waits for another one.',
        },
        'delivery.stranded': {
          title: 'Driver no longer available',
          body: 'The driver of your package “{packageName}” is no longer available. An administrator decides who brings it.',
        },
        'delivery.resumed': {
          title: 'Driver available again',
          body: 'The driver of your package “{packageName}” is available again and goes on with it.',
        },
        'package.returned': { title: 'Returned', body: 'Your package “{packageName}” was brought back to you.' },
        'package.collected': { title: 'Collected', body: 'Your package “{packageName}” was collected at the depot.' },
        'delivery.reopened': {
          title: 'Not delivered after all',
          body: 'The delivery of your package “{packageName}” was reopened{reason}.',
        },
        'package.cancelled': { title: 'Cancelled', body: 'Your package “{packageName}” has been cancelled.' },
        'package.deleted': { title: 'Deleted', body: 'Your package “{packageName}” has been deleted.' },
        'package.messaged': {
          title: 'Message about a package',
          body: 'Somebody who follows {packageName} has written to you.',
        },
        ...incidents,
      },
      admins: {
        ...incidents,
        'message.received': { title: 'New message', body: 'Message {messageNumber} has come in by the contact form.' },
        'message.received/many': {
          title: 'Many new messages',
          body: 'So many messages have come in today that you are not told of each. The list of messages has all of them.',
        },
      },
      accountAdmins: {
        // Without the name: it would remain in all administrators' notifications after the account is erased.
        'account.waiting': {
          title: 'Account awaits approval',
          body: 'Somebody has registered and waits for approval. User Management shows who.',
        },
        'account.waiting/many': {
          title: 'Many accounts await approval',
          body: 'So many people have registered today that you are not told of each. User Management shows who waits.',
        },
        'password.reset-requested': {
          title: 'Password forgotten',
          body: 'A user has asked for a new password. User Management shows who: hand them a link.',
        },
        'password.reset-requested/many': {
          title: 'Many passwords forgotten',
          body: 'So many users have asked for a new password today that you are not told of each. User Management shows who.',
        },
      },
      reporter: { 'incident.resolved': incidents['incident.resolved'] },
      driver: {
        'delivery.reopened': {
          title: 'Delivery reopened',
          body: 'The delivery of “{packageName}” was reopened{reason}. It is yours to deliver again.',
        },
        'delivery.assigned': {
          title: 'Delivery assigned',
          body: 'The package “{packageName}” has been given to you to deliver.',
        },
        // Without the values: they would outlive the recipient's data, and the delivery shows them.
        'package.updated': {
          title: 'Delivery changed',
          body: 'The owner has changed {changedFields} of “{packageName}”.',
        },
        'package.rated': {
          title: 'New rating',
          body: 'The delivery of “{packageName}” was rated {stars} of 5 stars{reason}.',
        },
      },
      formerDriver: {
        'delivery.assigned': {
          title: 'Delivery given to another driver',
          body: 'The package “{packageName}” has been given to another driver. It is no longer yours to deliver.',
        },
        'delivery.failed': {
          title: 'Delivery taken from you',
          body: 'An administrator has ended your delivery of “{packageName}” as failed{reason}. It is no longer yours to deliver.',
        },
        'delivery.released': {
          title: 'Delivery taken from you',
          body: 'An administrator has taken back the package “{packageName}”. It is no longer yours to deliver.',
        },
      },
      account: {
        'session.unfamiliar': {
          title: 'New sign-in',
          body: 'Your account was signed in to from an address where it was not before. If that was not you, change your password.',
        },
        'password.changed': {
          title: 'Password changed',
          body: 'Your account has a new password. If that was not you, ask an administrator for a link.',
        },
        'second-factor.enabled': {
          title: 'Second factor turned on',
          body: 'Signing in to your account asks for a code from now on.',
        },
        'second-factor.removed': {
          title: 'Second factor removed',
          body: 'An administrator has removed the second factor of your account: the password alone signs in now.',
        },
        'second-factor.removed/themselves': {
          title: 'Second factor turned off',
          body: 'The password alone signs in to your account now.',
        },
        'recovery-codes.made': {
          title: 'New recovery codes',
          body: 'Your account has new recovery codes, and the old ones work no longer.',
        },
        // Without the administrator's name: it would remain here after their account is erased.
        'password.link-made': {
          title: 'Link for a new password',
          body: 'An administrator has made a link that sets a new password for your account. If you did not ask for one, tell another administrator.',
        },
        'rights.changed': {
          title: 'Your account was changed',
          body: 'An administrator has changed {changedParts} of your account.',
        },
        'sessions.ended': { title: 'Signed out', body: 'An administrator has ended sessions of your account.' },
        'sessions.displaced': {
          title: 'Signed out',
          body: 'Your account is signed in at more places than it may be. The one that was not used for longest has been signed out.',
        },
      },
    } satisfies Templates,
    /** Instead of the body, to a reader who has lost the rights for it. */
    noLongerVisible: 'You can no longer see what this was about.',
    /** `{reason}` of a body, if one was given. */
    reason: ': {note}',
    /** The fields of `{changedFields}`. */
    changedFields: { recipientContact: 'the contact', window: 'the preferred time', instructions: 'the instructions' },
    /** The parts of `{changedParts}`. */
    changedParts: { name: 'the name', role: 'the role', status: 'the status', rights: 'the rights' },
    /** The frame of e-mails: its button, and what stands under each. */
    mail: {
      open: 'Open in {organisation}',
      why: 'You get this e-mail because you have an account with {organisation}.',
      choose: 'Choose what you are told',
    },
  },
};

/** Every text, by area and key. Each language has all of them. */
export type Texts = typeof texts;
