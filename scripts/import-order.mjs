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
  if (from === to) return null;
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
    typeOnly: match[2] !== undefined,
    lazy: match[0].endsWith(`(${match[3]}${match[4]}${match[3]}`),
  }));
}

function sourceFiles(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return sourceFiles(path);
    return /\.tsx?$/.test(entry.name) ? [path] : [];
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const faults = importFaults(join(dirname(fileURLToPath(import.meta.url)), '..'));
  for (const fault of faults) console.log(fault);
  process.exitCode = faults.length > 0 ? 1 : 0;
}
