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
  chooseLanguage: 'Langue',
  notFound: {
    title: 'Colis introuvable',
    text: 'La page que vous cherchez n’existe pas ou a été déplacée.',
    home: 'Retour à l’accueil',
  },
  landing: {
    description: 'Enregistrer des colis, les livrer et les suivre en direct.',
    title: 'La livraison de colis sans accroc, pour aujourd’hui',
    lead: 'Enregistrez un colis, confiez-le à un livreur, suivez-le en direct. Waybill fonctionne sur votre propre serveur, et tous ceux qui attendent savent où il est.',
    track: 'Suivre un colis',
    more: 'En savoir plus',
    rolesTitle: 'Choisissez votre rôle',
    rolesLead: 'Chaque rôle voit exactement ce dont il a besoin.',
    roles: {
      owner:
        'Enregistrez des colis, recevez un numéro de suivi pour chacun et voyez qui les transporte et où ils sont.',
      driver: 'Prenez des livraisons en attente, partez, signalez les problèmes et terminez-les à la porte.',
      admin: 'Supervisez les livraisons et les incidents, gérez les utilisateurs et leurs droits.',
    },
    toDashboard: 'Vers votre tableau de bord',
    continueAs: 'Continuer comme {role}',
    featuresTitle: 'Tout ce qu’il faut à un colis en chemin',
    featuresLead: 'De la première étiquette à la remise. Ce qui est encore en cours est indiqué.',
    comingSoon: 'Bientôt',
    features: {
      tracking: {
        title: 'Suivi en temps réel',
        text: 'La page publique d’un colis se met à jour d’elle-même, en une seconde, pour tous ceux qui ont son numéro de suivi.',
      },
      security: {
        title: 'Livraison sûre',
        text: 'Chaque colis a un seul livreur, chaque étape est enregistrée et les adresses restent chez ceux qui en ont besoin.',
      },
      notifications: {
        title: 'Notifications utiles',
        text: 'Les expéditeurs sont prévenus dans l’application à chaque changement. E-mail, SMS et push arrivent bientôt.',
      },
      routes: { title: 'Optimisation des tournées', text: 'Les arrêts du jour d’un livreur dans le meilleur ordre.' },
      preferences: {
        title: 'Préférences de livraison',
        text: 'Horaires souhaités et précautions, du formulaire jusqu’à la porte.',
      },
      analytics: {
        title: 'Analyses',
        text: 'Ponctualité, durées de livraison et problèmes ouverts, calculés d’après ce qui s’est vraiment passé.',
      },
    },
    startTitle: 'Prêt à commencer ?',
    start: 'Créez un compte et envoyez votre premier colis dès aujourd’hui.',
    createAccount: 'Créer votre compte',
  },
  about: {
    title: 'À propos',
    description: 'Ce qu’est Waybill, comment il fonctionne et ce que voit un visiteur.',
    intro:
      'Waybill enregistre les colis, les confie aux livreurs et montre à tous ceux qui attendent où ils se trouvent.',
    data: 'Il fonctionne sur son propre serveur. Qui l’exploite garde les données : quels colis existent, qui les envoie et les reçoit, et qui les transporte. Waybill n’en transmet rien.',
    howTitle: 'Comment ça marche',
    how: 'Un expéditeur enregistre un colis et reçoit un numéro de suivi. Un livreur le prend en charge, en fait son prochain arrêt et termine la livraison à la porte. Chaque étape est enregistrée une fois ; l’historique, la page de suivi publique et les notifications en découlent.',
    visitorsTitle: 'Ce que voit un visiteur',
    visitors:
      'Toute personne qui a le numéro de suivi voit l’état de ce colis sur sa {trackingPage}, sans compte. Les coordonnées et les adresses n’y figurent jamais, et 30 jours après la livraison le nom du destinataire et les lieux en disparaissent aussi.',
    trackingPage: 'page de suivi',
  },
  contact: {
    title: 'Contact',
    description: 'Qui peut aider pour un colis ou un compte.',
    intro: 'Trouvons la bonne personne pour vous répondre.',
    waitingTitle: 'Vous attendez un colis ?',
    waiting:
      'La {trackingPage} montre tout ce que l’on en sait. Pour le reste, demandez à l’expéditeur : il voit le livreur et peut le joindre.',
    trackingPage: 'page de suivi',
    sentTitle: 'Vous avez envoyé un colis ?',
    sentText:
      'Ouvrez le colis dans votre tableau de bord. « Carrier Info » montre qui le transporte et comment le joindre ; « Report Issue » dit aux administrateurs ce qui ne va pas.',
    otherTitle: 'Autre chose',
    other:
      'Écrivez aux administrateurs de ce serveur, même si vous ne pouvez pas vous connecter. Ils répondent par e-mail.',
    name: 'Nom',
    email: 'E-mail',
    trackingId: 'Numéro de suivi',
    trackingIdHint: 'S’il s’agit d’un colis',
    message: 'Message',
    honeypot: 'Laissez ce champ vide',
    send: 'Envoyer le message',
    sending: 'Envoi en cours…',
    arrived: 'Votre message est arrivé',
    answer: 'Les administrateurs répondent par e-mail.',
    notSent: 'Votre message n’a pas été envoyé',
    failed: 'Une erreur est survenue',
  },
  signIn: {
    title: 'Bon retour',
    subtitle: 'Connectez-vous à votre compte {organisation}.',
    noAccount: 'Pas encore de compte ?',
    register: 'S’inscrire',
    forgot: 'Mot de passe oublié ?',
    email: 'E-mail',
    password: 'Mot de passe',
    submit: 'Se connecter',
    submitting: 'Connexion…',
    successTitle: 'Connexion réussie',
    success: 'Bon retour !',
    failedTitle: 'Échec de la connexion',
    codeTitle: 'Saisissez le code',
    codeSubtitle: 'Votre compte a un deuxième facteur.',
    code: 'Code',
    codeHint: 'Les six chiffres affichés par votre application d’authentification',
    recoveryCode: 'Code de récupération',
    recoveryCodeHint: 'L’un de ceux reçus lors de l’activation du deuxième facteur. Chacun sert une fois.',
    withApp: 'Utiliser un code de l’application',
    withRecoveryCode: 'Utiliser un code de récupération',
    back: 'Retour à la connexion',
    forgotTitle: 'Mot de passe oublié ?',
    forgotSubtitle: 'Saisissez l’adresse e-mail de votre compte.',
    ask: 'Demander un nouveau mot de passe',
    asking: 'Envoi…',
    asked: 'Votre demande a été reçue',
    resetTitle: 'Choisir un nouveau mot de passe',
    resetSubtitle: 'Vous serez déconnecté partout ailleurs.',
    oneTimeSubtitle: 'Vous vous êtes connecté avec un mot de passe à usage unique. Choisissez le vôtre pour continuer.',
    oneTimePassword: 'Mot de passe à usage unique',
    newPassword: 'Nouveau mot de passe',
    confirmPassword: 'Confirmer le mot de passe',
    passwordHint: 'Au moins 6 caractères',
    setPassword: 'Enregistrer le mot de passe',
    saving: 'Enregistrement…',
    changedTitle: 'Mot de passe modifié',
    changed: 'Connectez-vous avec votre nouveau mot de passe.',
    changedOneTime: 'Utilisez-le désormais.',
    notChangedTitle: 'Mot de passe inchangé',
    linkTitle: 'Ce lien ne fonctionne pas',
    linkIncomplete: 'Ce lien est incomplet. Copiez-le en entier.',
    newLink: 'Demander un nouveau lien',
  },
  registration: {
    title: 'Créer votre compte',
    subtitle: 'Cela prend une minute.',
    haveAccount: 'Déjà un compte ?',
    signIn: 'Se connecter',
    signedInAs: 'Vous êtes connecté en tant que {name}. Un nouveau compte prendra sa place dans ce navigateur.',
    iAmA: 'Je suis',
    tasks: {
      owner: 'Envoyer et suivre des colis',
      driver: 'Prendre en charge et livrer',
      admin: 'Diriger l’exploitation',
    },
    needsApproval: 'Un administrateur doit approuver',
    closed: 'Fermé sur ce serveur',
    name: 'Nom',
    submit: 'Créer le compte',
    submitting: 'Création du compte…',
    successTitle: 'Inscription réussie',
    success: 'Bienvenue chez {organisation} ! Vous êtes inscrit comme {role}.',
    failedTitle: 'Échec de l’inscription',
    failed: 'Un problème est survenu. Veuillez réessayer.',
    activatedTitle: 'Compte activé',
    activated: 'Un administrateur a approuvé votre compte. Bienvenue !',
    awaitsTitle: 'Votre compte attend l’approbation',
    awaits:
      'Vous êtes inscrit comme {role}. Un administrateur doit activer votre compte avant que vous puissiez l’utiliser. Cette page continue d’elle-même dès que c’est fait.',
    removedTitle: 'Votre compte n’existe plus',
    removed:
      'Un administrateur l’a supprimé ou vous a déconnecté. Si vous pouvez encore vous connecter, il existe toujours.',
    notApprovedTitle: 'Votre compte n’a pas été approuvé',
    notApproved: 'Un administrateur en a décidé ainsi. Si vous pensez à une erreur, écrivez-nous.',
    track: 'Suivre un colis',
    contact: 'Contact',
  },
  roles: { owner: 'Expéditeur', driver: 'Livreur', admin: 'Administrateur' },
  optional: '(facultatif)',
  faults: {
    'Please enter a valid email address': 'Saisissez une adresse e-mail valable',
    'Password must be at least 6 characters': 'Le mot de passe doit avoir au moins 6 caractères',
    'Password must be at most 128 characters': 'Le mot de passe peut avoir au plus 128 caractères',
    'Password contains characters that are not allowed': 'Le mot de passe contient des caractères non autorisés',
    'This password is too common. Please choose another one.':
      'Ce mot de passe est trop courant. Choisissez-en un autre.',
    'Please choose another password': 'Choisissez un autre mot de passe',
    "Passwords don't match": 'Les mots de passe ne correspondent pas',
    'Please enter your present password': 'Saisissez votre mot de passe actuel',
    'The current password is not right': 'Le mot de passe actuel est incorrect',
    'Please enter the code': 'Saisissez le code',
    'This code is not right. Please try again.': 'Ce code est incorrect. Veuillez réessayer.',
    'This code is too long': 'Ce code est trop long',
    'Name must be at least 2 characters': 'Le nom doit avoir au moins 2 caractères',
    'Message must be at least 10 characters': 'Le message doit avoir au moins 10 caractères',
    'Invalid email or password. Please try again.': 'E-mail ou mot de passe incorrect. Veuillez réessayer.',
    'Authentication required. Please log in again.': 'Veuillez vous reconnecter.',
    'Your account is not active. Please contact support.':
      'Votre compte n’est pas actif. Veuillez contacter l’assistance.',
    'You do not have permission to perform this action': 'Vous n’avez pas l’autorisation de faire cela',
    'This delivery has already been started by another driver': 'Un autre livreur a déjà commencé cette livraison',
    'This delivery is no longer available': 'Cette livraison n’est plus disponible',
  },
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
