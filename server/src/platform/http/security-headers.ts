import type { OutgoingHttpHeaders } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../../config.ts';
import { s3Origins } from '../storage/s3.ts';

// Put together once: a library that builds them anew for every answer took a fifth of the time of a public lookup.

/** What no page asks a browser for, nor may whatever gets into one. The screen's wake lock and the clipboard are used. */
const unusedFeatures = [
  'accelerometer',
  'autoplay',
  'bluetooth',
  'camera',
  'display-capture',
  'geolocation',
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

/** The strict policy that every page of the product runs under. */
export function addDocumentHeaders(app: FastifyInstance, config: Config): void {
  // Browsers upload to the image store by themselves, and get images from its public address.
  const store = s3Origins(config);
  const policy = [
    ["default-src 'self'"],
    ["script-src 'self'"],
    ["style-src 'self'"],
    ["img-src 'self' data: blob:", ...store],
    ["worker-src 'self'"],
    ["connect-src 'self'", ...store],
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
    'permissions-policy': unusedFeatures.map((feature) => `${feature}=()`).join(', '),
    'referrer-policy': 'same-origin',
    'x-frame-options': 'DENY',
  });
}

/** Answers to programs are no documents: nothing may run in them, and nobody in between keeps them. */
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
