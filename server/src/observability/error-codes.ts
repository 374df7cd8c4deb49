import type { ErrorCode } from '@waybill/contract';
import type { FastifyRequest } from 'fastify';

const codes = new WeakMap<FastifyRequest, ErrorCode>();

/** Records a request's error code for the log and the metrics; their hooks see only the status of the response. */
export const noteErrorCode = (request: FastifyRequest, code: ErrorCode): void => void codes.set(request, code);

export const errorCodeOf = (request: FastifyRequest): ErrorCode | null => codes.get(request) ?? null;
