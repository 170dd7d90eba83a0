import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { describe, expect, it } from 'vitest';

const SRC = resolve(import.meta.dirname, '../../src');

/** What each part of src may import beside itself and core. Arrows point one way: nothing below names what is above it. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  core: [],
  format: ['libc.ts', 'native-gate.ts'],
  query: ['format', 'package-root.ts'],
  state: ['libc.ts', 'make-directory.ts'],
  catalog: ['format', 'state', 'libc.ts', 'make-directory.ts'],
  load: ['format', 'catalog', 'outbound', 'libc.ts', 'native-gate.ts', 'make-directory.ts', 'package-root.ts'],
  outbound: [],
  geocode: ['format', 'query', 'outbound'],
  narrative: ['format', 'query', 'outbound', 'native-gate.ts'],
  audit: ['state'],
  keys: ['state', 'audit'],
  webhooks: ['state', 'keys', 'audit', 'catalog', 'format', 'outbound', 'log.ts', 'libc.ts', 'tick-shape.ts'],
  pool: ['format', 'query', 'geocode', 'native-gate.ts'],
  http: ['format', 'query', 'pool', 'catalog', 'keys', 'geocode', 'narrative', 'webhooks', 'log.ts', 'package-root.ts'],
  admin: ['catalog', 'keys', 'webhooks', 'audit', 'state', 'loopback.ts'],
  processes: ['format', 'catalog', 'http', 'libc.ts'],
  'log.ts': [],
  'libc.ts': ['native-gate.ts'],
  'native-gate.ts': [],
  'garbage-collection.ts': [],
  'idle-memory.ts': ['libc.ts'],
  'make-directory.ts': [],
  'package-root.ts': [],
  'tick-shape.ts': [],
  'loopback.ts': [],
  'setting.ts': [],
  'admin-settings.ts': ['setting.ts'],
  'geocoder-settings.ts': ['setting.ts'],
  'fetch-settings.ts': ['setting.ts'],
  'webhook-settings.ts': ['setting.ts'],
  'settings.ts': [
    'setting.ts',
    'admin-settings.ts',
    'fetch-settings.ts',
    'geocoder-settings.ts',
    'webhook-settings.ts',
  ],
  'config.ts': ['setting.ts', 'settings.ts', 'geocoder-settings.ts', 'loopback.ts'],
  'datasets.ts': ['catalog', 'format', 'http', 'audit', 'state', 'config.ts', 'log.ts'],
  'compose-geocoder.ts': ['catalog', 'geocode', 'http', 'config.ts', 'log.ts'],
  'compose.ts': [
    'idle-memory.ts',
    'compose-webhooks.ts',
    'compose-geocoder.ts',
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
    'datasets.ts',
    'log.ts',
  ],
  'compose-webhooks.ts': ['webhooks', 'outbound', 'keys', 'state', 'http', 'config.ts', 'datasets.ts', 'log.ts'],
  'compose-admin.ts': ['admin', 'audit', 'keys', 'webhooks', 'state', 'http', 'config.ts', 'datasets.ts', 'log.ts'],
  cli: [
    'format',
    'query',
    'catalog',
    'load',
    'geocode',
    'processes',
    'admin',
    'keys',
    'webhooks',
    'state',
    'config.ts',
    'datasets.ts',
    'compose.ts',
    'compose-admin.ts',
    'compose-webhooks.ts',
    'log.ts',
    'package-root.ts',
    'setting.ts',
    'settings.ts',
    'tick-shape.ts',
    'garbage-collection.ts',
  ],
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
