import { auth, users } from '@waybill/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Ctx } from '../ctx.ts';
import { bind } from '../platform/http.ts';
import { exportUsers } from './export.ts';
import {
  changePassword,
  currentUser,
  endOwnSession,
  listUsers,
  login,
  logout,
  ownSessions,
  register,
  signUpPolicy,
  updateProfile,
  updateUser,
} from './service.ts';

const callerOf = (request: FastifyRequest) => ({ address: request.ip, userAgent: request.headers['user-agent'] });

export function usersHttp(app: FastifyInstance, ctx: Ctx) {
  bind(app, ctx, auth, {
    login: (ctx, { body, request }) => login(ctx, body, callerOf(request)),
    register: (ctx, { body, request }) => register(ctx, body, callerOf(request)),
    logout: (ctx, { actor }) => logout(ctx, actor),
    signUpPolicy: async (ctx) => signUpPolicy(ctx.config),
  });
  bind(app, ctx, users, {
    me: (ctx, { actor }) => currentUser(ctx, actor),
    updateProfile: (ctx, { actor, body }) => updateProfile(ctx, actor, body),
    changePassword: (ctx, { actor, body, request }) =>
      changePassword(ctx, actor, body.currentPassword, body.newPassword, callerOf(request)),
    sessions: (ctx, { actor }) => ownSessions(ctx, actor),
    endSession: (ctx, { actor, params }) => endOwnSession(ctx, actor, params.id),
    list: (ctx, { query }) => listUsers(ctx, query),
    exportAll: (ctx, { actor, query }) => exportUsers(ctx, actor, query),
    update: (ctx, { actor, params, body }) => updateUser(ctx, actor, params.id, body),
  });
}
