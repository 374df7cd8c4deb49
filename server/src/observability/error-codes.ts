import type { ErrorCode } from '@waybill/contract';
import type { FastifyRequest } from 'fastify';

const codes = new WeakMap<FastifyRequest, ErrorCode>();

/** Notes what a request is refused with, for the log and the metrics, which see the answer's status alone. */
export const noteErrorCode = (request: FastifyRequest, code: ErrorCode): void => void codes.set(request, code);

export const errorCodeOf = (request: FastifyRequest): ErrorCode | null => codes.get(request) ?? null;
