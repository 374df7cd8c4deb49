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
