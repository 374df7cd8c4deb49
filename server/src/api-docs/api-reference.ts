import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { JsonSchema } from './json-schema.ts';
import { describeApi, type OpenApi, type Operation } from './openapi.ts';

const assets = join(import.meta.dirname, '../../../web/dist/public/assets');

/** `/api/openapi.json`, and the same as a page: complete as plain HTML, in the typeface, colours and theme of the others. */
export async function apiReference(app: FastifyInstance): Promise<void> {
  const styles = (await fontFaces()) + (await readFile(join(import.meta.dirname, 'api-reference.css'), 'utf8'));
  const policy =
    "default-src 'none';style-src 'self';script-src 'self';font-src 'self';base-uri 'none';form-action 'none';frame-ancestors 'none'";

  app.get('/openapi.json', (_request, reply) => reply.type('application/json; charset=utf-8').send(rendered().json));
  app.get('/docs', (_request, reply) =>
    reply.type('text/html; charset=utf-8').header('content-security-policy', policy).send(rendered().page),
  );
  app.get('/docs.css', (_request, reply) => reply.type('text/css; charset=utf-8').send(styles));
}

let cached: { json: string; page: string } | null = null;

/** The typefaces of the web application; without a build the system's. */
async function fontFaces(): Promise<string> {
  const files = await readdir(assets).catch(() => []);
  const faces = [
    ['Geist', /^geist-latin-wght.*\.woff2$/],
    ['Geist Mono', /^geist-mono-latin-wght.*\.woff2$/],
  ] as const;
  return faces
    .map(([family, name]) => {
      const file = files.find((candidate) => name.test(candidate));
      return file
        ? `@font-face{font-family:'${family}';font-display:swap;font-weight:100 900;src:url(/assets/${file}) format('woff2')}\n`
        : '';
    })
    .join('');
}

/** Rendered on the first request: most servers run for weeks before anybody opens the reference. */
function rendered() {
  if (!cached) {
    const api = describeApi();
    cached = { json: JSON.stringify(api), page: renderPage(api) };
  }
  return cached;
}

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escape = (text: string) => text.replace(/[&<>"]/g, (character) => escapes[character] ?? '');
const code = (text: string) => `<code>${escape(text)}</code>`;
const prose = (text: string) => escape(text).replace(/`([^`]+)`/g, '<code>$1</code>');

interface ListedOperation {
  method: string;
  path: string;
  operation: Operation;
}

function renderPage(api: OpenApi): string {
  const listed: ListedOperation[] = Object.entries(api.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({ method, path, operation })),
  );
  const groups = api.tags.map((tag) => ({
    ...tag,
    members: listed.filter(({ operation }) => operation.tags.includes(tag.name)),
  }));
  const navigation = groups.map(
    ({ name, members }) =>
      `<li><a href="#${name}">${escape(name)}</a><ul>${members
        .map(
          ({ method, path, operation }) =>
            `<li data-path="${escape(`${method} ${path}`)}"><a href="#${operation.operationId}">${escape(operation.summary)}</a></li>`,
        )
        .join('')}</ul></li>`,
  );
  const sections = groups.map(
    ({ name, description, members }) =>
      `<section><h2 id="${name}">${escape(name)}</h2><p>${prose(description)}</p>${members.map(renderOperation).join('')}</section>`,
  );
  const schemas = Object.entries(api.components.schemas).map(
    ([name, schema]) => `<article id="schema-${name}"><h3>${escape(name)}</h3>${renderSchema(schema)}</article>`,
  );
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Waybill API</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">
<script src="/theme.js"></script><link rel="stylesheet" href="/api/docs.css"><script src="/api-docs.js" defer></script></head>
<body><a class="skip" href="#main">Skip to the reference</a>
<header><a class="home" href="/">${mark}Back to Waybill</a><a href="/api/openapi.json">OpenAPI 3.1</a></header>
<nav aria-label="Operations"><h1>Waybill API</h1><p hidden><input id="filter" type="search" placeholder="Filter operations" aria-label="Filter operations"></p><ul>${navigation.join('')}<li><a href="#schemas">schemas</a></li></ul></nav>
<main id="main"><p>${prose(api.info.description)}</p>
<p>Signed-in calls send ${code('Authorization: Bearer <token>')}, with the token of a sign-in. The same as OpenAPI 3.1: <a href="/api/openapi.json">openapi.json</a>.</p>
<p>In the examples ${code('$WAYBILL')} is the address of this server, and ${code('$TOKEN')} the token.</p>
${sections.join('\n')}
<section><h2 id="schemas">schemas</h2>${schemas.join('')}</section>
<footer><a href="/terms">Terms of Service</a><a href="/privacy">Privacy Policy</a><a href="/licenses">Licenses</a></footer></main></body></html>`;
}

/** The product's mark, as in the header of the other pages. */
const mark =
  '<svg viewBox="0 0 32 32" aria-hidden="true"><path class="ticket" d="M8 0h16a8 8 0 0 1 8 8v4.4a3.6 3.6 0 0 0 0 7.2V24a8 8 0 0 1-8 8H8a8 8 0 0 1-8-8V8a8 8 0 0 1 8-8z"/><path class="falling" d="M3.9 8.9h4.3l4.3 14.2H8.1zM13.1 12.3h4.4l4 10.8h-4.4z"/><path class="rising" d="M8.1 23.1h4.4l5-10.8h-4.4zM17.1 23.1h4.4l4.3-14.2h-4.3z"/></svg>';

/** The call as a command for a shell; `null` for bodies of files. */
function curlOf({ method, path, operation: { security, requestBody } }: ListedOperation): string | null {
  const [type, body] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  if (body && type !== 'application/json') return null;
  const lines = [`curl${method === 'get' ? '' : ` -X ${method.toUpperCase()}`} "$WAYBILL${path}"`];
  if (security.length > 0) lines.push('-H "Authorization: Bearer $TOKEN"');
  if (body) {
    lines.push("-H 'Content-Type: application/json'");
    lines.push(`-d '${JSON.stringify(body.example ?? {}).replaceAll("'", String.raw`'\''`)}'`);
  }
  return lines.join(' \\\n  ');
}

function renderOperation(listed: ListedOperation): string {
  const { method, path, operation } = listed;
  const curl = curlOf(listed);
  const { operationId, parameters, requestBody, responses, summary, description } = operation;
  const bodies = Object.entries(requestBody?.content ?? {});
  return `<article id="${operationId}"><h3>${escape(summary)} <small>${escape(operationId)}</small></h3>
<p class="call"><strong class="${method}">${method.toUpperCase()}</strong> ${code(path)}</p><p>${prose(description)}</p>
${curl === null ? '' : `<div class="curl"><pre tabindex="0"><code>${escape(curl)}</code></pre><button type="button" hidden>Copy</button></div>`}
${
  parameters.length === 0
    ? ''
    : `<h4>Parameters</h4><table><thead><tr><th>Name</th><th>In</th><th>What</th></tr></thead><tbody>${parameters
        .map(
          (parameter) =>
            `<tr><td>${code(parameter.name)}${parameter.required ? ' <em>required</em>' : ''}</td><td>${parameter.in}</td><td>${typeOf(parameter.schema)}${parameter.description ? `<br>${prose(parameter.description)}` : ''}</td></tr>`,
        )
        .join('')}</tbody></table>`
}
${bodies.map(([type, { schema }]) => `<h4>Body <small>${escape(type)}${requestBody?.required ? '' : ', optional'}</small></h4>${renderSchema(schema)}`).join('')}
<h4>Answers</h4><table><thead><tr><th>Status</th><th>What</th></tr></thead><tbody>${Object.entries(responses)
    .map(
      ([status, { description: what, content }]) =>
        `<tr><td>${status}</td><td>${Number(status) < 400 ? escape(what) : what.split(', ').map(code).join(', ')}${
          Number(status) < 400
            ? Object.entries(content ?? {})
                .map(
                  ([type, { schema }]) => `: ${escape(type)}${type === 'application/json' ? renderSchema(schema) : ''}`,
                )
                .join('')
            : ''
        }</td></tr>`,
    )
    .join('')}</tbody></table></article>`;
}

const nameOf = (schema: JsonSchema) => (typeof schema.$ref === 'string' ? schema.$ref.split('/').at(-1) : undefined);

/** A short description of a value's type and bounds, as HTML. */
function typeOf(schema: JsonSchema): string {
  const name = nameOf(schema);
  if (name) return `<a href="#schema-${name}">${escape(name)}</a>`;
  const choices = (schema.anyOf ?? schema.oneOf ?? schema.allOf) as JsonSchema[] | undefined;
  if (choices) return choices.map(typeOf).join(' or ');
  if (Array.isArray(schema.enum)) return schema.enum.map((value) => code(JSON.stringify(value))).join(' or ');
  if ('const' in schema) return code(JSON.stringify(schema.const));
  if (schema.type === 'array') return `list of ${typeOf((schema.items ?? {}) as JsonSchema)}`;
  const bounds = [
    ['minLength', 'at least', 'characters'],
    ['maxLength', 'at most', 'characters'],
    ['minimum', 'at least', ''],
    ['maximum', 'at most', ''],
    ['pattern', 'like', ''],
  ]
    // The bounds of safe integers carry no information.
    .filter(([key = '']) => key in schema && Math.abs(Number(schema[key]) || 0) < Number.MAX_SAFE_INTEGER)
    .map(
      ([key = '', word, unit]) =>
        `${word} ${key === 'pattern' ? code(String(schema[key])) : String(schema[key])} ${unit}`,
    );
  const type = typeof schema.type === 'string' ? schema.type : 'anything';
  return [escape(typeof schema.format === 'string' ? schema.format : type), ...bounds].join(', ').trim();
}

function renderSchema(schema: JsonSchema): string {
  const item = schema.type === 'array' ? ((schema.items ?? {}) as JsonSchema) : null;
  if (item && !nameOf(item) && item.properties) return `<p>A list of</p>${renderSchema(item)}`;
  if (!schema.properties) {
    const object = ((schema.anyOf ?? []) as JsonSchema[]).find((choice) => choice.properties);
    return object ? renderSchema(object) : `<p>${typeOf(schema)}</p>`;
  }
  const required = (schema.required ?? []) as string[];
  const rows = Object.entries(schema.properties as Record<string, JsonSchema>).map(
    ([name, property]) =>
      `<tr><td>${code(name)}${required.includes(name) ? '' : ' <em>optional</em>'}</td><td>${
        property.properties ? renderSchema(property) : typeOf(property)
      }</td></tr>`,
  );
  return `<table><tbody>${rows.join('')}</tbody></table>`;
}
