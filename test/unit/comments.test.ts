import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, it } from 'vitest';
import { packageFile } from '../../src/platform/package-root.js';

const DIRECTORIES = ['src', 'bench', 'test', 'schemas', 'datasets'];
const COMMENT = /\/\*.*?\*\/|(?<=^|\s)\/\/[^\n]*/gms;

const files = DIRECTORIES.flatMap((directory) =>
  readdirSync(packageFile(directory), { recursive: true, encoding: 'utf8' }).map((path) => join(directory, path)),
);
const modules = files.filter((path) => path.endsWith('.ts') && !path.includes('generated'));

/** A module's code, and its comments without the stars that its lines begin with. */
function read(path: string): { code: string; comments: string } {
  const text = readFileSync(packageFile(path), 'utf8');
  const comments = [...text.matchAll(COMMENT)].map(([comment]) => comment.replace(/\n\s*\*/g, ' '));
  return { code: text.replace(COMMENT, ''), comments: comments.join('\n') };
}

it('links in comments only to what the module declares or imports: editors find nothing else', () => {
  const lost = modules.flatMap((path) => {
    const { code, comments } = read(path);
    const names = [...comments.matchAll(/\{@link\s+(\w+)/g)].map(([, name = '']) => name);
    return names.filter((name) => !new RegExp(`\\b${name}\\b`).test(code)).map((name) => `${path}: ${name}`);
  });
  expect(lost).toEqual([]);
});

it('names in comments only modules and documents that there are', () => {
  const known = new Set([...files.map((path) => basename(path)), 'README.md']);
  const lost = modules.flatMap((path) => {
    const named = [...read(path).comments.matchAll(/(?<![\w./-])[\w./-]+\.(?:ts|md|fbs)\b/g)].map(([name]) => name);
    return named.filter((name) => !known.has(basename(name))).map((name) => `${path}: ${name}`);
  });
  expect(lost).toEqual([]);
});
