// Checks that every path and heading that a document names or links to exists, and that every decision is listed.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const pages = (folder) =>
  readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory()
      ? pages(join(folder, entry.name))
      : entry.name.endsWith('.md')
        ? [join(folder, entry.name)]
        : [],
  );
const documents = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md', ...pages('docs')];

/** Whether a text is unambiguously a path, such as `folder/file.ts`, `folder/` or `FILE.md`; without placeholders (`<…>`, `*`). */
const looksLikePath = (text) =>
  /^\.?[\w@./-]+$/.test(text) &&
  !text.startsWith('/') &&
  (/^(contract|server|web|e2e|storm|bench|scripts|docs|deploy|\.ci)\//.test(text) ||
    /^[A-Z]+\.md$|^\.env\.example$/.test(text));

/** The anchor of a heading, as GitHub generates it. */
const slugOf = (heading) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-');
const headingsOf = (path) =>
  [...readFileSync(join(root, path), 'utf8').matchAll(/^#+ (.*)$/gm)].map((match) => slugOf(match[1] ?? ''));

const missing = documents.flatMap((document) => {
  const text = readFileSync(join(root, document), 'utf8');
  const named = [...text.matchAll(/`([^`\n]+)`/g)].map((match) => match[1] ?? '').filter(looksLikePath);
  const linked = [...text.matchAll(/\]\((?!https?:|#)([^)\s#]+)/g)].map((match) =>
    join(dirname(document), match[1] ?? ''),
  );
  const headings = [...text.matchAll(/\]\((?!https?:)([^)\s#]*)#([^)\s]+)\)/g)]
    .map((match) => ({ path: match[1] ? join(dirname(document), match[1]) : document, slug: match[2] ?? '' }))
    .filter(({ path, slug }) => existsSync(join(root, path)) && !headingsOf(path).includes(slug));
  return [
    ...[...named, ...linked]
      .filter((path) => !existsSync(join(root, path)))
      .map((path) => `${document} names ${path}, which does not exist`),
    ...headings.map(({ path, slug }) => `${document} links to #${slug}, which is no heading of ${path}`),
  ];
});

const list = readFileSync(join(root, 'docs/decisions/README.md'), 'utf8');
const unlisted = documents
  .filter((path) => /^docs\/decisions\/\d/.test(path) && !list.includes(`](${basename(path)})`))
  .map((path) => `docs/decisions/README.md does not list ${path}`);

const faults = [...missing, ...unlisted];
for (const fault of faults) console.error(fault);
process.exitCode = faults.length > 0 ? 1 : 0;
