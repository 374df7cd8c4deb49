import type { Texts } from './en.ts';

const incidents = {
  'issue.reported': {
    title: 'Problème signalé',
    body: "L'incident {incidentNumber} concernant {packageName} a été ouvert : {incidentType}.",
  },
  'incident.investigating': {
    title: 'Problème en cours d’examen',
    body: "L'incident {incidentNumber} concernant {packageName} est en cours d’examen{reason}.",
  },
  'incident.resolved': {
    title: 'Problème résolu',
    body: "L'incident {incidentNumber} concernant {packageName} est résolu{reason}.",
  },
  'incident.reopened': {
    title: 'Problème rouvert',
    body: "L'incident {incidentNumber} concernant {packageName} est de nouveau en cours d’examen{reason}.",
  },
};

export const texts: Texts = {
  language: 'Français',
  locale: 'fr-FR',
  notifications: {
    templates: {
      owner: {
        'delivery.started': { title: 'En cours de livraison', body: 'Votre colis « {packageName} » est en route.' },
        'delivery.next': {
          title: 'Prochain arrêt',
          body: 'Votre colis « {packageName} » est le prochain arrêt du livreur.',
        },
        'delivery.completed': { title: 'Livré', body: 'Votre colis « {packageName} » a été livré.' },
        'delivery.failed': {
          title: 'Échec de la livraison',
          body: 'Votre colis « {packageName} » n’a pas pu être livré{reason}. Il attend un autre livreur.',
        },
        'delivery.assigned': {
          title: 'Livreur attribué',
          body: 'Votre colis « {packageName} » a été confié à un livreur.',
        },
        'delivery.assigned/again': {
          title: 'Livreur attribué',
          body: 'Votre colis « {packageName} » a été confié à un autre livreur.',
        },
        'delivery.released': {
          title: 'En attente d’un autre livreur',
          body: 'Votre colis « {packageName} » a été repris à son livreur et en attend un autre.',
        },
        'delivery.stranded': {
          title: 'Livreur indisponible',
          body: 'Le livreur de votre colis « {packageName} » n’est plus disponible. Un administrateur décidera qui le livre.',
        },
        'delivery.resumed': {
          title: 'Livreur de nouveau disponible',
          body: 'Le livreur de votre colis « {packageName} » est de nouveau disponible et poursuit la livraison.',
        },
        'package.cancelled': { title: 'Annulé', body: 'Votre colis « {packageName} » a été annulé.' },
        'package.deleted': { title: 'Supprimé', body: 'Votre colis « {packageName} » a été supprimé.' },
        ...incidents,
      },
      admins: {
        ...incidents,
        'message.received': {
          title: 'Nouveau message',
          body: 'Le message {messageNumber} est arrivé par le formulaire de contact.',
        },
        'message.received/many': {
          title: 'Beaucoup de nouveaux messages',
          body: 'Tant de messages sont arrivés aujourd’hui qu’ils ne sont plus signalés un par un. La liste des messages les contient tous.',
        },
      },
      accountAdmins: {
        'account.waiting': {
          title: 'Compte en attente d’approbation',
          body: 'Quelqu’un s’est inscrit et attend l’approbation. La gestion des utilisateurs montre qui.',
        },
        'account.waiting/many': {
          title: 'Beaucoup de comptes en attente',
          body: 'Tant de personnes se sont inscrites aujourd’hui qu’elles ne sont plus signalées une par une. La gestion des utilisateurs montre qui attend.',
        },
        'password.reset-requested': {
          title: 'Mot de passe oublié',
          body: 'Un utilisateur a demandé un nouveau mot de passe. La gestion des utilisateurs montre qui : donnez-lui un lien.',
        },
        'password.reset-requested/many': {
          title: 'Beaucoup de mots de passe oubliés',
          body: 'Tant d’utilisateurs ont demandé un nouveau mot de passe aujourd’hui qu’ils ne sont plus signalés un par un. La gestion des utilisateurs montre qui.',
        },
      },
      reporter: { 'incident.resolved': incidents['incident.resolved'] },
      driver: {
        'delivery.assigned': {
          title: 'Livraison attribuée',
          body: 'Le colis « {packageName} » vous a été confié pour la livraison.',
        },
        'package.updated': {
          title: 'Livraison modifiée',
          body: 'L’expéditeur a modifié {changedFields} de « {packageName} ».',
        },
        'package.rated': {
          title: 'Nouvelle note',
          body: 'La livraison de « {packageName} » a reçu {stars} étoiles sur 5{reason}.',
        },
      },
      formerDriver: {
        'delivery.assigned': {
          title: 'Livraison confiée à un autre livreur',
          body: 'Le colis « {packageName} » a été confié à un autre livreur. Vous n’avez plus à le livrer.',
        },
        'delivery.failed': {
          title: 'Livraison retirée',
          body: 'Un administrateur a mis fin à votre livraison de « {packageName} » comme échouée{reason}. Vous n’avez plus à le livrer.',
        },
        'delivery.released': {
          title: 'Livraison retirée',
          body: 'Un administrateur a repris le colis « {packageName} ». Vous n’avez plus à le livrer.',
        },
      },
      account: {
        'session.unfamiliar': {
          title: 'Nouvelle connexion',
          body: 'Quelqu’un s’est connecté à votre compte depuis une adresse inconnue. Si ce n’était pas vous, changez votre mot de passe.',
        },
        'password.changed': {
          title: 'Mot de passe modifié',
          body: 'Votre compte a un nouveau mot de passe. Si ce n’était pas vous, demandez un lien à un administrateur.',
        },
        'second-factor.enabled': {
          title: 'Deuxième facteur activé',
          body: 'La connexion à votre compte demande désormais un code.',
        },
        'second-factor.removed': {
          title: 'Deuxième facteur retiré',
          body: 'Un administrateur a retiré le deuxième facteur de votre compte : le mot de passe suffit désormais.',
        },
        'second-factor.removed/themselves': {
          title: 'Deuxième facteur désactivé',
          body: 'Le mot de passe suffit désormais pour se connecter à votre compte.',
        },
        'recovery-codes.made': {
          title: 'Nouveaux codes de récupération',
          body: 'Votre compte a de nouveaux codes de récupération, les anciens ne sont plus valables.',
        },
        'password.link-made': {
          title: 'Lien pour un nouveau mot de passe',
          body: 'Un administrateur a créé un lien qui définit un nouveau mot de passe pour votre compte. Si vous ne l’avez pas demandé, prévenez un autre administrateur.',
        },
        'rights.changed': {
          title: 'Votre compte a été modifié',
          body: 'Un administrateur a modifié {changedParts} de votre compte.',
        },
        'sessions.ended': {
          title: 'Déconnecté',
          body: 'Un administrateur a mis fin à des sessions de votre compte.',
        },
        'sessions.displaced': {
          title: 'Déconnecté',
          body: 'Votre compte est connecté à plus d’endroits que permis. La session inutilisée depuis le plus longtemps a été fermée.',
        },
      },
    },
    noLongerVisible: 'Vous ne pouvez plus voir de quoi il s’agissait.',
    reason: ' : {note}',
    changedFields: {
      recipientContact: 'le contact',
      window: 'l’horaire souhaité',
      instructions: 'les consignes',
    },
    changedParts: { name: 'le nom', role: 'le rôle', status: 'le statut', rights: 'les droits' },
  },
};
