import type { Texts } from './en.ts';

const incidents = {
  'issue.reported': {
    title: 'Problem gemeldet',
    body: 'Vorfall {incidentNumber} zu {packageName} wurde eröffnet: {incidentType}.',
  },
  'incident.investigating': {
    title: 'Problem wird untersucht',
    body: 'Vorfall {incidentNumber} zu {packageName} wird untersucht{reason}.',
  },
  'incident.resolved': {
    title: 'Problem gelöst',
    body: 'Vorfall {incidentNumber} zu {packageName} ist gelöst{reason}.',
  },
  'incident.reopened': {
    title: 'Problem wieder offen',
    body: 'Vorfall {incidentNumber} zu {packageName} wird erneut untersucht{reason}.',
  },
};

export const texts: Texts = {
  language: 'Deutsch',
  locale: 'de-DE',
  chooseLanguage: 'Sprache',
  notFound: {
    title: 'Sendung nicht gefunden',
    text: 'Die gesuchte Seite gibt es nicht, oder sie ist umgezogen.',
    home: 'Zur Startseite',
  },
  landing: {
    description: 'Sendungen erfassen, zustellen und live verfolgen.',
    title: 'Zustellung ohne Umwege, für heute gemacht',
    lead: 'Erfassen Sie eine Sendung, geben Sie sie einem Fahrer, verfolgen Sie sie live. Waybill läuft auf Ihrem eigenen Server, und alle, die warten, wissen, wo sie ist.',
    track: 'Sendung verfolgen',
    more: 'Mehr erfahren',
    rolesTitle: 'Wählen Sie Ihre Rolle',
    rolesLead: 'Jede Rolle sieht genau, was sie braucht.',
    roles: {
      owner: 'Sendungen erfassen, für jede eine Sendungsnummer erhalten und sehen, wer sie bringt und wo sie sind.',
      driver: 'Wartende Zustellungen übernehmen, losfahren, Probleme melden und an der Tür abschließen.',
      admin: 'Zustellungen und Vorfälle überblicken, Benutzer und ihre Rechte verwalten.',
    },
    toDashboard: 'Zu Ihrer Übersicht',
    continueAs: 'Weiter als {role}',
    featuresTitle: 'Alles, was eine Sendung unterwegs braucht',
    featuresLead: 'Vom ersten Etikett bis zur Übergabe. Was noch in Arbeit ist, ist gekennzeichnet.',
    comingSoon: 'In Kürze',
    features: {
      tracking: {
        title: 'Live-Verfolgung',
        text: 'Die öffentliche Seite einer Sendung ändert sich von selbst, binnen einer Sekunde, für alle, die die Sendungsnummer haben.',
      },
      security: {
        title: 'Sichere Zustellung',
        text: 'Jede Sendung hat genau einen Fahrer, jeder Schritt wird festgehalten, und Adressen bleiben bei denen, die sie brauchen.',
      },
      notifications: {
        title: 'Kluge Benachrichtigungen',
        text: 'Absender erfahren jede Änderung in der App. E-Mail, SMS und Push folgen in Kürze.',
      },
      routes: { title: 'Tourenplanung', text: 'Die Halte eines Fahrers in der besten Reihenfolge.' },
      preferences: {
        title: 'Zustellwünsche',
        text: 'Wunschzeiten und besondere Behandlung, vom Formular bis zur Haustür.',
      },
      analytics: {
        title: 'Auswertungen',
        text: 'Pünktlichkeit, Zustellzeiten und offene Probleme, berechnet aus dem, was wirklich geschah.',
      },
    },
    startTitle: 'Bereit?',
    start: 'Erstellen Sie ein Konto und verschicken Sie heute Ihre erste Sendung.',
    createAccount: 'Konto erstellen',
  },
  about: {
    title: 'Über uns',
    description: 'Was Waybill ist, wie es funktioniert und was Besucher sehen.',
    intro: 'Waybill erfasst Sendungen, gibt sie an Fahrer und zeigt allen, die warten, wo sie sind.',
    data: 'Es läuft auf einem eigenen Server. Wer ihn betreibt, behält die Daten: welche Sendungen es gibt, wer sie verschickt und empfängt und wer sie bringt. Waybill gibt nichts davon weiter.',
    howTitle: 'So funktioniert es',
    how: 'Ein Absender erfasst eine Sendung und erhält eine Sendungsnummer. Ein Fahrer holt sie ab, macht sie zu seinem nächsten Halt und schließt die Zustellung an der Tür ab. Jeder Schritt wird einmal festgehalten; daraus entstehen der Verlauf, die öffentliche Sendungsverfolgung und die Benachrichtigungen.',
    visitorsTitle: 'Was Besucher sehen',
    visitors:
      'Wer die Sendungsnummer hat, sieht den Stand dieser Sendung auf der {trackingPage}, ganz ohne Konto. Kontaktdaten und Adressen stehen dort nie, und 30 Tage nach der Zustellung verschwinden auch der Name des Empfängers und die Orte.',
    trackingPage: 'Seite zur Sendungsverfolgung',
  },
  contact: {
    title: 'Kontakt',
    description: 'Wer bei einer Sendung oder einem Konto hilft.',
    intro: 'So erreichen Sie die richtige Person.',
    waitingTitle: 'Sie warten auf eine Sendung?',
    waiting:
      'Die {trackingPage} zeigt, was bekannt ist. Alles Weitere weiß der Absender: Er sieht den Fahrer und kann ihn erreichen.',
    trackingPage: 'Sendungsverfolgung',
    sentTitle: 'Sie haben etwas verschickt?',
    sentText:
      'Öffnen Sie die Sendung in Ihrer Übersicht. „Carrier Info“ zeigt, wer sie bringt und wie Sie diese Person erreichen; „Report Issue“ sagt der Verwaltung, was schiefging.',
    otherTitle: 'Etwas anderes',
    other:
      'Schreiben Sie der Verwaltung dieses Servers, auch wenn Sie sich nicht anmelden können. Sie antwortet per E-Mail.',
    name: 'Name',
    email: 'E-Mail',
    trackingId: 'Sendungsnummer',
    trackingIdHint: 'Wenn es um eine Sendung geht',
    message: 'Nachricht',
    honeypot: 'Bitte leer lassen',
    send: 'Nachricht senden',
    sending: 'Wird gesendet …',
    arrived: 'Ihre Nachricht ist angekommen',
    answer: 'Die Verwaltung antwortet per E-Mail.',
    notSent: 'Ihre Nachricht wurde nicht gesendet',
    failed: 'Ein Fehler ist aufgetreten',
  },
  signIn: {
    title: 'Willkommen zurück',
    subtitle: 'Melden Sie sich bei {organisation} an.',
    noAccount: 'Noch kein Konto?',
    register: 'Registrieren',
    forgot: 'Passwort vergessen?',
    email: 'E-Mail',
    password: 'Passwort',
    submit: 'Anmelden',
    submitting: 'Anmeldung läuft …',
    successTitle: 'Angemeldet',
    success: 'Willkommen zurück!',
    failedTitle: 'Anmeldung fehlgeschlagen',
    codeTitle: 'Code eingeben',
    codeSubtitle: 'Ihr Konto hat einen zweiten Faktor.',
    code: 'Code',
    codeHint: 'Die sechs Ziffern, die Ihre Authenticator-App gerade zeigt',
    recoveryCode: 'Wiederherstellungscode',
    recoveryCodeHint: 'Einer der Codes, die Sie beim Einrichten des zweiten Faktors erhalten haben. Jeder gilt einmal.',
    withApp: 'Code der App verwenden',
    withRecoveryCode: 'Wiederherstellungscode verwenden',
    back: 'Zurück zur Anmeldung',
    forgotTitle: 'Passwort vergessen?',
    forgotSubtitle: 'Geben Sie die E-Mail-Adresse Ihres Kontos ein.',
    ask: 'Neues Passwort anfordern',
    asking: 'Wird gesendet …',
    asked: 'Ihre Anfrage ist eingegangen',
    resetTitle: 'Neues Passwort setzen',
    resetSubtitle: 'Überall sonst werden Sie abgemeldet.',
    oneTimeSubtitle: 'Sie haben sich mit einem Einmalpasswort angemeldet. Wählen Sie jetzt ein eigenes.',
    oneTimePassword: 'Einmalpasswort',
    newPassword: 'Neues Passwort',
    confirmPassword: 'Passwort wiederholen',
    passwordHint: 'Mindestens 6 Zeichen',
    setPassword: 'Passwort setzen',
    saving: 'Wird gespeichert …',
    changedTitle: 'Passwort geändert',
    changed: 'Melden Sie sich mit dem neuen Passwort an.',
    changedOneTime: 'Es gilt ab jetzt.',
    notChangedTitle: 'Passwort nicht geändert',
    linkTitle: 'Dieser Link funktioniert nicht',
    linkIncomplete: 'Dieser Link ist unvollständig. Bitte kopieren Sie ihn ganz.',
    newLink: 'Neuen Link anfordern',
  },
  registration: {
    title: 'Konto erstellen',
    subtitle: 'Es dauert eine Minute.',
    haveAccount: 'Schon ein Konto?',
    signIn: 'Anmelden',
    signedInAs: 'Sie sind als {name} angemeldet. Ein neues Konto tritt in diesem Browser an dessen Stelle.',
    iAmA: 'Ich bin',
    tasks: {
      owner: 'Sendungen verschicken und verfolgen',
      driver: 'Abholen und zustellen',
      admin: 'Den Betrieb leiten',
    },
    needsApproval: 'Die Verwaltung muss zustimmen',
    closed: 'Auf diesem Server geschlossen',
    name: 'Name',
    submit: 'Konto erstellen',
    submitting: 'Konto wird erstellt …',
    successTitle: 'Registriert',
    success: 'Willkommen bei {organisation}! Ihre Rolle: {role}.',
    failedTitle: 'Registrierung fehlgeschlagen',
    failed: 'Etwas ist schiefgegangen. Bitte versuchen Sie es noch einmal.',
    activatedTitle: 'Konto freigegeben',
    activated: 'Die Verwaltung hat Ihr Konto freigegeben. Willkommen!',
    awaitsTitle: 'Ihr Konto wartet auf Freigabe',
    awaits:
      'Ihre Rolle: {role}. Bevor Sie Ihr Konto nutzen können, muss die Verwaltung es freigeben. Diese Seite geht dann von selbst weiter.',
    removedTitle: 'Ihr Konto gibt es nicht mehr',
    removed:
      'Die Verwaltung hat es entfernt oder Sie abgemeldet. Wenn Sie sich noch anmelden können, besteht es weiter.',
    notApprovedTitle: 'Ihr Konto wurde nicht freigegeben',
    notApproved:
      'Die Verwaltung hat sich dagegen entschieden. Wenn Sie das für einen Irrtum halten, schreiben Sie uns.',
    track: 'Sendung verfolgen',
    contact: 'Kontakt',
  },
  roles: { owner: 'Absender', driver: 'Fahrer', admin: 'Verwaltung' },
  optional: '(freiwillig)',
  faults: {
    'Please enter a valid email address': 'Bitte geben Sie eine gültige E-Mail-Adresse ein',
    'Password must be at least 6 characters': 'Das Passwort braucht mindestens 6 Zeichen',
    'Password must be at most 128 characters': 'Das Passwort darf höchstens 128 Zeichen haben',
    'Password contains characters that are not allowed': 'Das Passwort enthält Zeichen, die nicht erlaubt sind',
    'This password is too common. Please choose another one.':
      'Dieses Passwort ist zu häufig. Bitte wählen Sie ein anderes.',
    'Please choose another password': 'Bitte wählen Sie ein anderes Passwort',
    "Passwords don't match": 'Die Passwörter stimmen nicht überein',
    'Please enter your present password': 'Bitte geben Sie Ihr jetziges Passwort ein',
    'The current password is not right': 'Das jetzige Passwort stimmt nicht',
    'Please enter the code': 'Bitte geben Sie den Code ein',
    'This code is not right. Please try again.': 'Dieser Code stimmt nicht. Bitte versuchen Sie es noch einmal.',
    'This code is too long': 'Dieser Code ist zu lang',
    'Name must be at least 2 characters': 'Der Name braucht mindestens 2 Zeichen',
    'Message must be at least 10 characters': 'Die Nachricht braucht mindestens 10 Zeichen',
    'Invalid email or password. Please try again.':
      'E-Mail oder Passwort stimmt nicht. Bitte versuchen Sie es noch einmal.',
    'Authentication required. Please log in again.': 'Bitte melden Sie sich noch einmal an.',
    'Your account is not active. Please contact support.':
      'Ihr Konto ist nicht aktiv. Bitte wenden Sie sich an die Verwaltung.',
    'You do not have permission to perform this action': 'Dazu fehlt Ihnen die Berechtigung',
    'This delivery has already been started by another driver':
      'Diese Zustellung hat schon ein anderer Fahrer begonnen',
    'This delivery is no longer available': 'Diese Zustellung ist nicht mehr verfügbar',
  },
  notifications: {
    templates: {
      owner: {
        'delivery.started': { title: 'In Zustellung', body: 'Ihre Sendung „{packageName}“ ist unterwegs.' },
        'delivery.next': {
          title: 'Nächster Halt',
          body: 'Ihre Sendung „{packageName}“ ist der nächste Halt des Fahrers.',
        },
        'delivery.completed': { title: 'Zugestellt', body: 'Ihre Sendung „{packageName}“ wurde zugestellt.' },
        'delivery.failed': {
          title: 'Zustellung fehlgeschlagen',
          body: 'Ihre Sendung „{packageName}“ konnte nicht zugestellt werden{reason}. Sie wartet auf einen anderen Fahrer.',
        },
        'delivery.assigned': { title: 'Fahrer zugeteilt', body: 'Ihre Sendung „{packageName}“ hat einen Fahrer.' },
        'delivery.assigned/again': {
          title: 'Fahrer zugeteilt',
          body: 'Ihre Sendung „{packageName}“ hat jetzt einen anderen Fahrer.',
        },
        'delivery.released': {
          title: 'Wartet auf einen anderen Fahrer',
          body: 'Ihre Sendung „{packageName}“ wurde ihrem Fahrer abgenommen und wartet auf einen anderen.',
        },
        'delivery.stranded': {
          title: 'Fahrer nicht mehr verfügbar',
          body: 'Der Fahrer Ihrer Sendung „{packageName}“ ist nicht mehr verfügbar. Die Verwaltung entscheidet, wer sie bringt.',
        },
        'delivery.resumed': {
          title: 'Fahrer wieder verfügbar',
          body: 'Der Fahrer Ihrer Sendung „{packageName}“ ist wieder verfügbar und stellt sie zu.',
        },
        'package.cancelled': { title: 'Storniert', body: 'Ihre Sendung „{packageName}“ wurde storniert.' },
        'package.deleted': { title: 'Gelöscht', body: 'Ihre Sendung „{packageName}“ wurde gelöscht.' },
        ...incidents,
      },
      admins: {
        ...incidents,
        'message.received': {
          title: 'Neue Nachricht',
          body: 'Nachricht {messageNumber} ist über das Kontaktformular eingegangen.',
        },
        'message.received/many': {
          title: 'Viele neue Nachrichten',
          body: 'Heute sind so viele Nachrichten eingegangen, dass nicht mehr jede einzeln gemeldet wird. Alle stehen in der Liste der Nachrichten.',
        },
      },
      accountAdmins: {
        'account.waiting': {
          title: 'Konto wartet auf Freigabe',
          body: 'Jemand hat sich registriert und wartet auf Freigabe. Die Benutzerverwaltung zeigt, wer.',
        },
        'account.waiting/many': {
          title: 'Viele Konten warten auf Freigabe',
          body: 'Heute haben sich so viele Personen registriert, dass nicht mehr jede einzeln gemeldet wird. Die Benutzerverwaltung zeigt, wer wartet.',
        },
        'password.reset-requested': {
          title: 'Passwort vergessen',
          body: 'Jemand hat um ein neues Passwort gebeten. Die Benutzerverwaltung zeigt, wer: Geben Sie der Person einen Link.',
        },
        'password.reset-requested/many': {
          title: 'Viele vergessene Passwörter',
          body: 'Heute haben so viele Personen um ein neues Passwort gebeten, dass nicht mehr jede einzeln gemeldet wird. Die Benutzerverwaltung zeigt, wer.',
        },
      },
      reporter: { 'incident.resolved': incidents['incident.resolved'] },
      driver: {
        'delivery.assigned': {
          title: 'Zustellung zugeteilt',
          body: 'Die Sendung „{packageName}“ wurde Ihnen zur Zustellung gegeben.',
        },
        'package.updated': {
          title: 'Zustellung geändert',
          body: 'Der Absender hat bei „{packageName}“ etwas geändert: {changedFields}.',
        },
        'package.rated': {
          title: 'Neue Bewertung',
          body: 'Die Zustellung von „{packageName}“ wurde mit {stars} von 5 Sternen bewertet{reason}.',
        },
      },
      formerDriver: {
        'delivery.assigned': {
          title: 'Zustellung an anderen Fahrer',
          body: 'Die Sendung „{packageName}“ wurde einem anderen Fahrer gegeben. Sie stellen sie nicht mehr zu.',
        },
        'delivery.failed': {
          title: 'Zustellung abgenommen',
          body: 'Die Verwaltung hat Ihre Zustellung von „{packageName}“ als fehlgeschlagen beendet{reason}. Sie stellen sie nicht mehr zu.',
        },
        'delivery.released': {
          title: 'Zustellung abgenommen',
          body: 'Die Verwaltung hat die Sendung „{packageName}“ zurückgenommen. Sie stellen sie nicht mehr zu.',
        },
      },
      account: {
        'session.unfamiliar': {
          title: 'Neue Anmeldung',
          body: 'Bei Ihrem Konto gab es eine Anmeldung von einer bisher unbekannten Adresse. Wenn Sie das nicht waren, ändern Sie Ihr Passwort.',
        },
        'password.changed': {
          title: 'Passwort geändert',
          body: 'Ihr Konto hat ein neues Passwort. Wenn Sie das nicht waren, bitten Sie die Verwaltung um einen Link.',
        },
        'second-factor.enabled': {
          title: 'Zweiter Faktor eingeschaltet',
          body: 'Ab jetzt fragt die Anmeldung bei Ihrem Konto nach einem Code.',
        },
        'second-factor.removed': {
          title: 'Zweiter Faktor entfernt',
          body: 'Die Verwaltung hat den zweiten Faktor Ihres Kontos entfernt: Zur Anmeldung genügt jetzt das Passwort.',
        },
        'second-factor.removed/themselves': {
          title: 'Zweiter Faktor ausgeschaltet',
          body: 'Zur Anmeldung bei Ihrem Konto genügt jetzt das Passwort.',
        },
        'recovery-codes.made': {
          title: 'Neue Wiederherstellungscodes',
          body: 'Ihr Konto hat neue Wiederherstellungscodes, die alten gelten nicht mehr.',
        },
        'password.link-made': {
          title: 'Link für ein neues Passwort',
          body: 'Die Verwaltung hat einen Link erstellt, der ein neues Passwort für Ihr Konto setzt. Wenn Sie nicht darum gebeten haben, sagen Sie es einer anderen Person aus der Verwaltung.',
        },
        'rights.changed': {
          title: 'Ihr Konto wurde geändert',
          body: 'Die Verwaltung hat an Ihrem Konto etwas geändert: {changedParts}.',
        },
        'sessions.ended': { title: 'Abgemeldet', body: 'Die Verwaltung hat Sitzungen Ihres Kontos beendet.' },
        'sessions.displaced': {
          title: 'Abgemeldet',
          body: 'Ihr Konto ist an mehr Orten angemeldet als erlaubt. Die am längsten ungenutzte Sitzung wurde abgemeldet.',
        },
      },
    },
    noLongerVisible: 'Sie können nicht mehr sehen, worum es hier ging.',
    reason: ': {note}',
    changedFields: {
      recipientContact: 'die Kontaktdaten',
      window: 'die gewünschte Zeit',
      instructions: 'die Hinweise',
    },
    changedParts: { name: 'der Name', role: 'die Rolle', status: 'der Status', rights: 'die Rechte' },
  },
};
