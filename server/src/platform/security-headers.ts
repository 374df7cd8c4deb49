import helmet from '@fastify/helmet';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../config.ts';
import { s3Origins } from './storage/s3.ts';

/** The strict policy that every page of the product runs under. */
export function securityHeaders(app: FastifyInstance, config: Config): void {
  const tls = config.PUBLIC_URL?.startsWith('https:') ?? false;
  // Browsers upload to the image store by themselves, and get images from its public address.
  const store = s3Origins(config);
  void app.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'", "'wasm-unsafe-eval'"],
        styleSrc: ["'self'"],
        imgSrc: ["'self'", 'data:', 'blob:', ...store],
        workerSrc: ["'self'"],
        connectSrc: ["'self'", ...store],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
      },
    },
    strictTransportSecurity: tls ? { maxAge: 31_536_000 } : false,
    referrerPolicy: { policy: 'same-origin' },
  });
}
