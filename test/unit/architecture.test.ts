import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { describe, expect, it } from 'vitest';

const SRC = resolve(import.meta.dirname, '../../src');

/** What each part of src may import beside itself and core. Arrows point one way: nothing below names what is above it. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  core: [],
  format: ['libc.ts'],
  query: ['format', 'package-root.ts'],
  state: ['libc.ts'],
  catalog: ['format', 'state', 'libc.ts'],
  load: ['format', 'catalog', 'package-root.ts'],
  geocode: ['format', 'query'],
  narrative: ['format', 'query'],
  keys: ['state'],
  webhooks: ['state', 'keys'],
  pool: ['format', 'query'],
  http: ['format', 'query', 'pool', 'catalog', 'keys', 'geocode', 'narrative', 'webhooks', 'log.ts', 'package-root.ts'],
  'log.ts': [],
  'libc.ts': [],
  'package-root.ts': [],
  'settings.ts': [],
  'config.ts': ['settings.ts'],
  'compose.ts': [
    'format',
    'query',
    'pool',
    'catalog',
    'state',
    'keys',
    'webhooks',
    'geocode',
    'narrative',
    'http',
    'config.ts',
    'log.ts',
  ],
  cli: ['format', 'query', 'catalog', 'load', 'config.ts', 'compose.ts', 'log.ts', 'settings.ts'],
};

interface Import {
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

const partOf = (path: string): string => relative(SRC, path).split(sep)[0] ?? '';

function sourceFiles(): string[] {
  return readdirSync(SRC, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => join(entry.parentPath, entry.name));
}

function specifiers(file: string): string[] {
  const text = readFileSync(file, 'utf8');
  return [...text.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map((match) => match[1] ?? '');
}

function internalImports(): Import[] {
  return sourceFiles().flatMap((file) =>
    specifiers(file)
      .filter((specifier) => specifier.startsWith('.'))
      .map((specifier) => resolve(dirname(file), specifier).replace(/\.js$/, '.ts'))
      .map((target) => ({ file: relative(SRC, file), from: partOf(file), to: partOf(target) })),
  );
}

describe('the structure of src', () => {
  it('has only parts that the table knows', () => {
    const parts = new Set(sourceFiles().map(partOf));
    expect([...parts].filter((part) => !(part in MAY_IMPORT))).toEqual([]);
  });

  it('imports downward only', () => {
    const wrong = internalImports().filter(
      ({ from, to }) => from !== to && to !== 'core' && !(MAY_IMPORT[from] ?? []).includes(to),
    );
    expect(wrong).toEqual([]);
  });

  it('lets only src/format import the generated FlatBuffers code', () => {
    const users = sourceFiles().filter(
      (file) => partOf(file) !== 'format' && specifiers(file).some((specifier) => specifier.includes('/generated/')),
    );
    expect(users).toEqual([]);
  });

  it('lets only src/pool import Piscina, and only src/config.ts read the environment', () => {
    const piscina = sourceFiles().filter((file) => specifiers(file).includes('piscina'));
    expect([...new Set(piscina.map(partOf))]).toEqual(['pool']);
    const environment = sourceFiles().filter((file) => readFileSync(file, 'utf8').includes('process.env'));
    expect(environment.map((file) => relative(SRC, file))).toEqual(['config.ts']);
  });
});
