// Checks that every path the documents name in backticks, or link to, exists.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
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

/** `folder/file.ts`, `folder/`, `FILE.md`: what can only be a path. `<…>` and `*` stand for names. */
const looksLikePath = (text) =>
  /^\.?[\w@./-]+$/.test(text) &&
  !text.startsWith('/') &&
  (/^(contract|server|web|e2e|storm|bench|scripts|docs|deploy|\.ci)\//.test(text) ||
    /^[A-Z]+\.md$|^\.env\.example$/.test(text));

const faults = documents.flatMap((document) => {
  const text = readFileSync(join(root, document), 'utf8');
  const named = [...text.matchAll(/`([^`\n]+)`/g)].map((match) => match[1] ?? '').filter(looksLikePath);
  const linked = [...text.matchAll(/\]\((?!https?:|#)([^)\s#]+)/g)].map((match) =>
    join(dirname(document), match[1] ?? ''),
  );
  return [...named, ...linked]
    .filter((path) => !existsSync(join(root, path)))
    .map((path) => `${document} names ${path}, which does not exist`);
});
for (const fault of faults) console.error(fault);
process.exitCode = faults.length > 0 ? 1 : 0;
