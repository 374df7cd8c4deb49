import { auth, roleDefinitions, users } from '@waybill/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Ctx } from '../ctx.ts';
import { isLocalRequest } from '../platform/origin/local-request.ts';
import { languageOf } from '../platform/languages.ts';
import { linkOrigin } from '../platform/origin/link-origin.ts';
import { bind } from '../platform/http/http.ts';
import { exportUsers } from './export.ts';
import { createUser, deleteUser, inviteUser, listUsers, readUser, updateUser } from './accounts.ts';
import { deleteOwnAccount } from './own-account.ts';
import { mailsLinks } from './mailed-links.ts';
import { endSessionsOf, sessionsOf } from './sessions-of-others.ts';
import { createResetLink, forgotPassword, resetPassword } from './password-resets.ts';
import { createRole, listRoleDefinitions, removeRole, updateRole } from './roles.ts';
import {
  cancelTotp,
  confirmPassword,
  confirmTotp,
  makeRecoveryCodes,
  removeTotp,
  removeTotpOf,
  startTotp,
} from './second-factor.ts';
import {
  changePassword,
  currentUser,
  endOwnSession,
  login,
  logout,
  ownSessions,
  register,
  signUpPolicy,
  updateProfile,
  type CarriedDeliveries,
} from './service.ts';

const callerOf = (request: FastifyRequest) => ({
  address: request.ip,
  userAgent: request.headers['user-agent'],
  isLocal: isLocalRequest(request),
  language: request.headers['accept-language'] ? languageOf(request) : null,
});

export function usersHttp(app: FastifyInstance, ctx: Ctx, deliveries: CarriedDeliveries) {
  bind(app, ctx, auth, {
    login: (ctx, { body, request }) => login(ctx, body, callerOf(request)),
    register: (ctx, { body, request }) => register(ctx, body, callerOf(request)),
    logout: (ctx, { actor }, reply) => {
      // Clears cached package images. Not `storage`: the page clears the token and lists itself, and theme and drafts must stay.
      reply.header('clear-site-data', '"cache"');
      return logout(ctx, actor);
    },
    forgot: (ctx, { body, request }) => forgotPassword(ctx, body.email, request.ip),
    reset: (ctx, { body, request }) => resetPassword(ctx, body.token, body.password, request.ip),
    confirm: (ctx, { actor, body, request }) => confirmPassword(ctx, actor, body.password, request.ip),
    signUpPolicy: async (ctx, { request }) => ({
      ...(await signUpPolicy(ctx, callerOf(request))),
      ...(mailsLinks(ctx.config) && { byMail: true as const }),
    }),
  });
  bind(app, ctx, users, {
    me: (ctx, { actor }) => currentUser(ctx, actor),
    updateProfile: (ctx, { actor, body }) => updateProfile(ctx, actor, body),
    changePassword: (ctx, { actor, body, request }) =>
      changePassword(ctx, actor, body.currentPassword, body.newPassword, callerOf(request)),
    removeOwn: (ctx, { actor, body, request }) => deleteOwnAccount(ctx, actor, body.password, request.ip),
    startTotp: (ctx, { actor }) => startTotp(ctx, actor),
    confirmTotp: (ctx, { actor, body, request }) => confirmTotp(ctx, actor, body.code, request.ip),
    cancelTotp: (ctx, { actor }) => cancelTotp(ctx, actor),
    removeTotp: (ctx, { actor, body, request }) => removeTotp(ctx, actor, body, request.ip),
    makeRecoveryCodes: (ctx, { actor, body, request }) => makeRecoveryCodes(ctx, actor, body, request.ip),
    removeTotpOf: (ctx, { actor, params }) => removeTotpOf(ctx, actor, params.id),
    sessions: (ctx, { actor }) => ownSessions(ctx, actor),
    endSession: (ctx, { actor, params }) => endOwnSession(ctx, actor, params.id),
    list: (ctx, { query }) => listUsers(ctx, query),
    exportAll: (ctx, { actor, query }) => exportUsers(ctx, actor, query),
    create: (ctx, { actor, body }) => createUser(ctx, actor, body),
    get: (ctx, { actor, params }) => readUser(ctx, actor, params.id),
    update: (ctx, { actor, params, body }) => updateUser(ctx, actor, params.id, body, deliveries),
    remove: (ctx, { actor, params, body }) => deleteUser(ctx, actor, params.id, body?.deliveries, deliveries),
    sessionsOf: (ctx, { actor, params }) => sessionsOf(ctx, actor, params.id),
    endSessionsOf: (ctx, { actor, params }) => endSessionsOf(ctx, actor, params.id),
    endSessionOf: (ctx, { actor, params }) => endSessionsOf(ctx, actor, params.id, params.sessionId),
    resetLink: (ctx, { actor, params, request }) =>
      createResetLink(ctx, actor, params.id, linkOrigin(ctx.config, request)),
    invite: (ctx, { actor, params }) => inviteUser(ctx, actor, params.id),
  });
  bind(app, ctx, roleDefinitions, {
    list: (ctx) => listRoleDefinitions(ctx),
    create: (ctx, { actor, body }) => createRole(ctx, actor, body),
    update: (ctx, { actor, params, body }) => updateRole(ctx, actor, params.id, body),
    remove: (ctx, { actor, params }) => removeRole(ctx, actor, params.id),
  });
}
