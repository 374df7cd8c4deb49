// Checks the import rules of ARCHITECTURE.md: folders import only from earlier folders, and there are no cycles.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, posix, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A folder may import itself and the folders before it; files directly in src may import everything. */
const order = [
  'platform',
  'ui',
  'maps',
  'optimizer',
  'travel',
  'audit',
  'events',
  'images',
  'users',
  'settings',
  'places',
  'depots',
  'positions',
  'packages',
  'labels',
  'deliveries',
  'shifts',
  'tracking',
  'incidents',
  'routes',
  'recipients',
  'plans',
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
/** Folders that use the whole product and may import everything, like the files directly in src. */
const unrestricted = new Set(['cli', 'demo', 'testing']);
/** The groups of the server's platform: each may import the groups before it, and files directly in platform. */
const platformOrder = ['origin', 'outgoing', 'database', 'storage', 'csv', 'auth', 'load', 'live', 'http'];
/** The tables that the platform's SQL may name; its migrations may name any. */
const platformTables = new Set(['idempotency_keys', 'rate_limits', 'schema_migrations', 'secrets']);
const sharedTypes = new Set(['server/src/ctx.ts', 'server/src/config.ts']);

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
    const faults = [...imports].flatMap(([file, found]) =>
      found.flatMap((statement) => {
        const fault = rule(source, file, statement);
        return fault ? [`${file} imports ${statement.specifier}: ${fault}`] : [];
      }),
    );
    if (source === 'server/src') faults.push(...platformFaults(root, imports));
    return [...faults, ...findCycles(imports).map((cycle) => `a circle of imports: ${cycle.join(' -> ')}`)];
  });
}

/**
 * Finds cycles of imports by depth-first search; type imports count, since to understand one file one has to read all of them, but
 * lazy imports do not.
 * @param {Map<string, { specifier: string, lazy: boolean }[]>} imports by file
 * @returns {string[][]} the files of each cycle, with the first repeated at the end
 */
function findCycles(imports) {
  const done = new Set();
  const path = [];
  const cycles = [];
  const follow = (file) => {
    if (path.includes(file)) return void cycles.push([...path.slice(path.indexOf(file)), file]);
    if (done.has(file)) return;
    path.push(file);
    for (const { specifier, lazy } of imports.get(file) ?? [])
      if (specifier.startsWith('.') && !lazy) follow(posix.join(posix.dirname(file), specifier));
    path.pop();
    done.add(file);
  };
  for (const file of imports.keys()) follow(file);
  return cycles;
}

/** Finds dependencies of the server's platform on slices that are no imports of their code: contract names and tables in SQL. */
function platformFaults(root, imports) {
  const sliceNames = findSliceNames(root);
  const tables = new Set(
    filesIn(join(root, 'server/migrations'), /\.sql$/).flatMap((path) =>
      [...readFileSync(path, 'utf8').matchAll(/^create (?:unlogged )?table (\w+)/gm)].map((match) => match[1]),
    ),
  );
  const inPlatform = [...imports].filter(([file]) => file.startsWith('server/src/platform/') && !isTest(file));
  return inPlatform.flatMap(([file, found]) => {
    const names = found
      .filter(({ specifier }) => specifier === '@waybill/contract')
      .flatMap(({ names }) => names.filter((name) => sliceNames.has(name)))
      .map(
        (name) =>
          `${file} imports ${name}: the platform knows no slice, and that is of contract/src/${sliceNames.get(name)}`,
      );
    if (file.endsWith('/migrate.ts')) return names;
    const queried = readFileSync(join(root, file), 'utf8').matchAll(/\b(?:from|join|into|update) (\w+)/g);
    const foreign = new Set(
      [...queried].map((match) => match[1]).filter((table) => tables.has(table) && !platformTables.has(table)),
    );
    return [
      ...names,
      ...[...foreign].map((table) => `${file} asks for ${table}: the platform knows no slice's tables`),
    ];
  });
}

/** @returns {Map<string, string>} the exported names of each slice's contract, with their files */
function findSliceNames(root) {
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
  // Types that are used everywhere, without code.
  if (typeOnly && sharedTypes.has(target)) return null;
  // The routes of the app load pages lazily.
  if (lazy && from === 'app' && to === 'pages') return null;
  // Tests use the whole product through its public API.
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
  const [fromRank, toRank] = [from, to].map((group) => (group ? platformOrder.indexOf(group) : -1));
  for (const [group, rank] of [
    [from, fromRank],
    [to, toRank],
  ])
    if (group && rank === -1) return `the order does not know the group ${group}`;
  if (toRank > fromRank)
    return from ? `in the platform ${from} stands before ${to}` : `what stands directly in platform imports no group`;
  return null;
}

const isTest = (file) => /\.test\.tsx?$/.test(file);
const leaves = (source, file, specifier) => !posix.join(posix.dirname(file), specifier).startsWith(`${source}/`);
const rank = (folder) => (folder ? order.indexOf(folder) : order.length);

/** The folder under src, or '' for files directly in src and for unrestricted folders. */
function folderIn(source, path) {
  const [folder, ...rest] = path.slice(source.length + 1).split('/');
  return rest.length > 0 && !unrestricted.has(folder) ? folder : '';
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
