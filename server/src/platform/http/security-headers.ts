import type { OutgoingHttpHeaders } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../../config.ts';
import { s3Origins } from '../storage/s3.ts';

// Built once: a library that built them for every response took a fifth of the time of a public lookup.

/** Browser features that no page uses, so injected code may not either. The screen wake lock, the clipboard, the camera and the position are used. */
const unusedFeatures = [
  'accelerometer',
  'autoplay',
  'bluetooth',
  'display-capture',
  'gyroscope',
  'hid',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'publickey-credentials-get',
  'serial',
  'usb',
];

/** Adds the strict policy of the product's pages to every reply. */
export function addDocumentHeaders(app: FastifyInstance, config: Config): void {
  // Browsers upload directly to the image store, and load images from its public URL.
  const store = s3Origins(config);
  // The map of the settings: its style, tiles, fonts and pictures.
  const map = config.MAP_STYLE_URL
    ? [...new Set([new URL(config.MAP_STYLE_URL).origin, ...(config.MAP_ORIGINS ?? [])])]
    : [];
  const policy = [
    ["default-src 'self'"],
    ["script-src 'self'"],
    ["style-src 'self'"],
    ["img-src 'self' data: blob:", ...store, ...map],
    ["worker-src 'self'"],
    ["connect-src 'self'", ...store, ...map],
    ["object-src 'none'"],
    ["base-uri 'none'"],
    ["form-action 'self'"],
    ["frame-ancestors 'none'"],
  ];
  addToEveryReply(app, {
    ...commonHeaders(config),
    'content-security-policy': policy.map((directive) => directive.join(' ')).join(';'),
    'cross-origin-opener-policy': 'same-origin',
    'origin-agent-cluster': '?1',
    'permissions-policy': [
      ...unusedFeatures.map((feature) => `${feature}=()`),
      'camera=(self)',
      'geolocation=(self)',
    ].join(', '),
    'referrer-policy': 'same-origin',
    'x-frame-options': 'DENY',
  });
}

/**
 * The policy of the worker that reads codes in pictures of the camera. WebAssembly needs a source of its own, so it runs in there and on
 * no page. The worker can reach nothing but its own code.
 */
export const decoderPolicy = "default-src 'none';script-src 'self' 'wasm-unsafe-eval';connect-src 'self'";

/** Headers of API responses: they are no documents, so nothing may run in them, and no cache may store them. */
export const apiHeaders = (config: Config): OutgoingHttpHeaders => ({
  ...commonHeaders(config),
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none';frame-ancestors 'none'",
  'x-robots-tag': 'noindex',
});

export const addApiHeaders = (app: FastifyInstance, config: Config): void => addToEveryReply(app, apiHeaders(config));

const commonHeaders = (config: Config): OutgoingHttpHeaders => ({
  'cross-origin-resource-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  ...(config.PUBLIC_URL?.startsWith('https:') && {
    'strict-transport-security': 'max-age=31536000; includeSubDomains',
  }),
});

function addToEveryReply(app: FastifyInstance, headers: OutgoingHttpHeaders): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(headers).header('x-request-id', request.id);
    done();
  });
}
