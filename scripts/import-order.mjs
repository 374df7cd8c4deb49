// Holds the imports to the plan of ARCHITECTURE.md: one way, from right to left, and never in a circle.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, posix, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A folder imports itself and what stands before it; files directly in src import everything. */
const order = [
  'platform',
  'ui',
  'audit',
  'events',
  'images',
  'users',
  'settings',
  'packages',
  'deliveries',
  'shifts',
  'tracking',
  'incidents',
  'contact',
  'notifications',
  'stats',
  'inventory',
  'observability',
  'privacy',
  'site',
  'api-docs',
  'embedded-postgres',
  'app',
  'pages',
];
const slices = new Set(order.slice(order.indexOf('audit'), order.indexOf('app')));
/** They drive the whole product, as the files directly in src do. */
const above = new Set(['cli', 'demo', 'testing']);
/** The groups of the server's platform: each imports what stands before it, and files directly in platform. */
const platformOrder = ['origin', 'database', 'storage', 'csv', 'auth', 'load', 'live', 'http'];
/** The tables that the platform asks by name. Its migrations ask any. */
const platformTables = new Set(['idempotency_keys', 'rate_limits', 'schema_migrations', 'secrets']);
const handedToAll = new Set(['server/src/ctx.ts', 'server/src/config.ts']);

/**
 * @param {string} root the repository
 * @returns {string[]} one sentence for each import that breaks a rule
 */
export function importFaults(root) {
  return ['contract/src', 'server/src', 'web/src'].flatMap((source) => {
    const imports = new Map(
      sourceFiles(join(root, source)).map((path) => [
        relative(root, path).split(sep).join('/'),
        importsOf(readFileSync(path, 'utf8')),
      ]),
    );
    const rule = source === 'contract/src' ? contractRule : orderRule;
    const wrong = [...imports].flatMap(([file, found]) =>
      found.flatMap((one) => {
        const fault = rule(source, file, one);
        return fault ? [`${file} imports ${one.specifier}: ${fault}`] : [];
      }),
    );
    if (source === 'server/src') wrong.push(...platformFaults(root, imports));
    return [...wrong, ...circlesAmong(imports).map((circle) => `a circle of imports: ${circle.join(' -> ')}`)];
  });
}

/**
 * One circle from each knot of files, types included: whoever wants to understand one file has to read all. Code that is loaded
 * later makes none.
 * @param {Map<string, { specifier: string, lazy: boolean }[]>} imports by file
 * @returns {string[][]} the files of each, the first once more at its end
 */
function circlesAmong(imports) {
  const done = new Set();
  const way = [];
  const circles = [];
  const follow = (file) => {
    if (way.includes(file)) return void circles.push([...way.slice(way.indexOf(file)), file]);
    if (done.has(file)) return;
    way.push(file);
    for (const { specifier, lazy } of imports.get(file) ?? [])
      if (specifier.startsWith('.') && !lazy) follow(posix.join(posix.dirname(file), specifier));
    way.pop();
    done.add(file);
  };
  for (const file of imports.keys()) follow(file);
  return circles;
}

/** What the server's platform knows of a slice without importing it: names of its contract, and its tables. */
function platformFaults(root, imports) {
  const ofSlices = namesOfSlices(root);
  const tables = new Set(
    filesIn(join(root, 'server/migrations'), /\.sql$/).flatMap((path) =>
      [...readFileSync(path, 'utf8').matchAll(/^create (?:unlogged )?table (\w+)/gm)].map((match) => match[1]),
    ),
  );
  const inPlatform = [...imports].filter(([file]) => file.startsWith('server/src/platform/') && !isTest(file));
  return inPlatform.flatMap(([file, found]) => {
    const names = found
      .filter(({ specifier }) => specifier === '@waybill/contract')
      .flatMap(({ names }) => names.filter((name) => ofSlices.has(name)))
      .map(
        (name) =>
          `${file} imports ${name}: the platform knows no slice, and that is of contract/src/${ofSlices.get(name)}`,
      );
    if (file.endsWith('/migrate.ts')) return names;
    const asked = readFileSync(join(root, file), 'utf8').matchAll(/\b(?:from|join|into|update) (\w+)/g);
    const foreign = new Set(
      [...asked].map((match) => match[1]).filter((table) => tables.has(table) && !platformTables.has(table)),
    );
    return [
      ...names,
      ...[...foreign].map((table) => `${file} asks for ${table}: the platform knows no slice's tables`),
    ];
  });
}

/** @returns {Map<string, string>} what the contract of each slice exports, with its file */
function namesOfSlices(root) {
  const files = filesIn(join(root, 'contract/src'), /\.ts$/).filter((path) => slices.has(basename(path, '.ts')));
  return new Map(
    files.flatMap((path) =>
      [...readFileSync(path, 'utf8').matchAll(/^export (?:const|function|interface|type) (\w+)/gm)].map((match) => [
        match[1],
        basename(path),
      ]),
    ),
  );
}

function contractRule(source, file, { specifier }) {
  if (specifier.startsWith('.')) return leaves(source, file, specifier) ? 'the contract stands alone' : null;
  if (isTest(file) || /^zod(\/|$)/.test(specifier)) return null;
  return 'the contract depends on zod only';
}

function orderRule(source, file, { specifier, typeOnly, lazy }) {
  if (/^@waybill\/(server|web)\b/.test(specifier)) return 'server and web meet only through the contract';
  if (!specifier.startsWith('.')) return null;
  if (leaves(source, file, specifier)) return 'it leaves its own source folder';
  const target = posix.join(posix.dirname(file), specifier);
  const [from, to] = [file, target].map((path) => folderIn(source, path));
  if (from === to) return from === 'platform' ? groupFault(source, file, target) : null;
  const isPrivate =
    source === 'web/src' ? basename(target) === 'queries.ts' : /(^|-)queries\.ts$/.test(basename(target));
  if (slices.has(from) && slices.has(to) && isPrivate) {
    return "a slice calls another's service, never its queries";
  }
  // What everybody is handed: types, which bring no code along.
  if (typeOnly && handedToAll.has(target)) return null;
  // Its routes name every page, and load one when somebody goes there.
  if (lazy && from === 'app' && to === 'pages') return null;
  // Tests enter by the front door.
  if (isTest(file)) return null;
  for (const folder of [from, to])
    if (folder && !order.includes(folder)) return `the order does not know the folder ${folder}`;
  if (rank(to) > rank(from))
    return to ? `${from} stands before ${to}` : `${from} stands before the files directly in src`;
  return null;
}

function groupFault(source, file, target) {
  if (source !== 'server/src' || isTest(file)) return null;
  const [from, to] = [file, target].map((path) => path.split('/').slice(3, -1)[0] ?? '');
  const [mine, its] = [from, to].map((group) => (group ? platformOrder.indexOf(group) : -1));
  for (const [group, rank] of [
    [from, mine],
    [to, its],
  ])
    if (group && rank === -1) return `the order does not know the group ${group}`;
  if (its > mine)
    return from ? `in the platform ${from} stands before ${to}` : `what stands directly in platform imports no group`;
  return null;
}

const isTest = (file) => /\.test\.tsx?$/.test(file);
const leaves = (source, file, specifier) => !posix.join(posix.dirname(file), specifier).startsWith(`${source}/`);
const rank = (folder) => (folder ? order.indexOf(folder) : order.length);

/** The folder under src, or '' for a file directly in it, and for what drives the whole product. */
function folderIn(source, path) {
  const [folder, ...rest] = path.slice(source.length + 1).split('/');
  return rest.length > 0 && !above.has(folder) ? folder : '';
}

function importsOf(text) {
  const pattern = /\b(?:(import|export)\s+(type\s)?[^'";]*?\bfrom|import\s*\(|import)\s*(['"])([^'"\n]+)\3/g;
  return [...text.matchAll(pattern)].map((match) => ({
    specifier: match[4],
    names: match[0].match(/\w+/g) ?? [],
    typeOnly: match[2] !== undefined,
    lazy: match[0].endsWith(`(${match[3]}${match[4]}${match[3]}`),
  }));
}

const sourceFiles = (folder) => filesIn(folder, /\.tsx?$/);

function filesIn(folder, kind) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return filesIn(path, kind);
    return kind.test(entry.name) ? [path] : [];
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const faults = importFaults(join(dirname(fileURLToPath(import.meta.url)), '..'));
  for (const fault of faults) console.log(fault);
  process.exitCode = faults.length > 0 ? 1 : 0;
}
