import type { Texts } from './en.ts';

const incidents = {
  'issue.reported': {
    title: 'Problema notificado',
    body: 'Se ha abierto la incidencia {incidentNumber} sobre {packageName}: {incidentType}.',
  },
  'incident.investigating': {
    title: 'Problema en revisión',
    body: 'La incidencia {incidentNumber} sobre {packageName} se está revisando{reason}.',
  },
  'incident.resolved': {
    title: 'Problema resuelto',
    body: 'La incidencia {incidentNumber} sobre {packageName} está resuelta{reason}.',
  },
  'incident.reopened': {
    title: 'Problema reabierto',
    body: 'La incidencia {incidentNumber} sobre {packageName} se está revisando de nuevo{reason}.',
  },
};

export const texts: Texts = {
  language: 'Español',
  locale: 'es-ES',
  notifications: {
    templates: {
      owner: {
        'delivery.started': { title: 'En reparto', body: 'Tu paquete «{packageName}» está en camino.' },
        'delivery.next': {
          title: 'Próxima parada',
          body: 'Tu paquete «{packageName}» es la próxima parada del conductor.',
        },
        'delivery.completed': { title: 'Entregado', body: 'Tu paquete «{packageName}» se ha entregado.' },
        'delivery.failed': {
          title: 'Entrega fallida',
          body: 'Tu paquete «{packageName}» no se ha podido entregar{reason}. Espera a otro conductor.',
        },
        'delivery.assigned': {
          title: 'Conductor asignado',
          body: 'Tu paquete «{packageName}» ya tiene conductor.',
        },
        'delivery.assigned/again': {
          title: 'Conductor asignado',
          body: 'Tu paquete «{packageName}» tiene ahora otro conductor.',
        },
        'delivery.released': {
          title: 'A la espera de otro conductor',
          body: 'Tu paquete «{packageName}» se ha retirado a su conductor y espera a otro.',
        },
        'delivery.stranded': {
          title: 'Conductor no disponible',
          body: 'El conductor de tu paquete «{packageName}» ya no está disponible. Un administrador decidirá quién lo lleva.',
        },
        'delivery.resumed': {
          title: 'Conductor disponible de nuevo',
          body: 'El conductor de tu paquete «{packageName}» vuelve a estar disponible y sigue con la entrega.',
        },
        'package.cancelled': { title: 'Cancelado', body: 'Tu paquete «{packageName}» se ha cancelado.' },
        'package.deleted': { title: 'Eliminado', body: 'Tu paquete «{packageName}» se ha eliminado.' },
        ...incidents,
      },
      admins: {
        ...incidents,
        'message.received': {
          title: 'Mensaje nuevo',
          body: 'Ha llegado el mensaje {messageNumber} por el formulario de contacto.',
        },
        'message.received/many': {
          title: 'Muchos mensajes nuevos',
          body: 'Hoy han llegado tantos mensajes que ya no se avisa de cada uno. La lista de mensajes los tiene todos.',
        },
      },
      accountAdmins: {
        'account.waiting': {
          title: 'Cuenta pendiente de aprobación',
          body: 'Alguien se ha registrado y espera la aprobación. La gestión de usuarios muestra quién.',
        },
        'account.waiting/many': {
          title: 'Muchas cuentas pendientes',
          body: 'Hoy se han registrado tantas personas que ya no se avisa de cada una. La gestión de usuarios muestra quién espera.',
        },
        'password.reset-requested': {
          title: 'Contraseña olvidada',
          body: 'Un usuario ha pedido una contraseña nueva. La gestión de usuarios muestra quién: dale un enlace.',
        },
        'password.reset-requested/many': {
          title: 'Muchas contraseñas olvidadas',
          body: 'Hoy tantos usuarios han pedido una contraseña nueva que ya no se avisa de cada uno. La gestión de usuarios muestra quién.',
        },
      },
      reporter: { 'incident.resolved': incidents['incident.resolved'] },
      driver: {
        'delivery.assigned': {
          title: 'Entrega asignada',
          body: 'Se te ha asignado la entrega del paquete «{packageName}».',
        },
        'package.updated': {
          title: 'Entrega modificada',
          body: 'El remitente ha cambiado {changedFields} de «{packageName}».',
        },
        'package.rated': {
          title: 'Nueva valoración',
          body: 'La entrega de «{packageName}» ha recibido {stars} de 5 estrellas{reason}.',
        },
      },
      formerDriver: {
        'delivery.assigned': {
          title: 'Entrega asignada a otro conductor',
          body: 'El paquete «{packageName}» se ha dado a otro conductor. Ya no tienes que entregarlo.',
        },
        'delivery.failed': {
          title: 'Entrega retirada',
          body: 'Un administrador ha cerrado tu entrega de «{packageName}» como fallida{reason}. Ya no tienes que entregarlo.',
        },
        'delivery.released': {
          title: 'Entrega retirada',
          body: 'Un administrador ha retirado el paquete «{packageName}». Ya no tienes que entregarlo.',
        },
      },
      account: {
        'session.unfamiliar': {
          title: 'Nuevo inicio de sesión',
          body: 'Se ha iniciado sesión en tu cuenta desde una dirección desconocida. Si no has sido tú, cambia la contraseña.',
        },
        'password.changed': {
          title: 'Contraseña cambiada',
          body: 'Tu cuenta tiene una contraseña nueva. Si no has sido tú, pide un enlace a un administrador.',
        },
        'second-factor.enabled': {
          title: 'Segundo factor activado',
          body: 'A partir de ahora, al iniciar sesión en tu cuenta se pide un código.',
        },
        'second-factor.removed': {
          title: 'Segundo factor eliminado',
          body: 'Un administrador ha eliminado el segundo factor de tu cuenta: ahora basta la contraseña.',
        },
        'second-factor.removed/themselves': {
          title: 'Segundo factor desactivado',
          body: 'Ahora basta la contraseña para iniciar sesión en tu cuenta.',
        },
        'recovery-codes.made': {
          title: 'Nuevos códigos de recuperación',
          body: 'Tu cuenta tiene códigos de recuperación nuevos y los anteriores ya no valen.',
        },
        'password.link-made': {
          title: 'Enlace para una contraseña nueva',
          body: 'Un administrador ha creado un enlace que pone una contraseña nueva a tu cuenta. Si no lo has pedido, avisa a otro administrador.',
        },
        'rights.changed': {
          title: 'Tu cuenta ha cambiado',
          body: 'Un administrador ha cambiado {changedParts} de tu cuenta.',
        },
        'sessions.ended': { title: 'Sesión cerrada', body: 'Un administrador ha cerrado sesiones de tu cuenta.' },
        'sessions.displaced': {
          title: 'Sesión cerrada',
          body: 'Tu cuenta tiene sesiones en más sitios de los permitidos. Se ha cerrado la que llevaba más tiempo sin usarse.',
        },
      },
    },
    noLongerVisible: 'Ya no puedes ver de qué se trataba.',
    reason: ': {note}',
    changedFields: { recipientContact: 'el contacto', window: 'la hora preferida', instructions: 'las instrucciones' },
    changedParts: { name: 'el nombre', role: 'el rol', status: 'el estado', rights: 'los permisos' },
  },
};
