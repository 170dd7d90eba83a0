import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { describe, expect, it } from 'vitest';

const SRC = resolve(import.meta.dirname, '../../src');

/** What each part of src may import beside itself and core. Arrows point one way: nothing below names what is above it. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  build: [],
  core: [],
  platform: [],
  settings: [],
  tallies: [],
  'log.ts': ['platform'],
  format: ['platform'],
  query: ['format', 'platform'],
  state: ['platform'],
  catalog: ['format', 'platform'],
  load: ['format', 'catalog', 'outbound', 'platform'],
  outbound: [],
  geocode: ['format', 'outbound'],
  narrative: ['format', 'outbound'],
  audit: ['state'],
  keys: ['state', 'audit'],
  webhooks: ['state', 'keys', 'audit', 'catalog', 'format', 'outbound', 'platform', 'log.ts'],
  pool: ['format', 'query', 'geocode', 'platform'],
  http: [
    'tallies',
    'format',
    'query',
    'pool',
    'catalog',
    'keys',
    'geocode',
    'narrative',
    'webhooks',
    'platform',
    'log.ts',
  ],
  admin: ['catalog', 'keys', 'webhooks', 'audit', 'state', 'platform'],
  processes: ['tallies', 'format', 'catalog', 'outbound', 'platform'],
  'config.ts': ['settings'],
  compose: [
    'tallies',
    'pool',
    'format',
    'catalog',
    'state',
    'audit',
    'keys',
    'narrative',
    'outbound',
    'geocode',
    'webhooks',
    'http',
    'admin',
    'platform',
    'settings',
    'config.ts',
    'log.ts',
  ],
  'compose.ts': [
    'tallies',
    'query',
    'catalog',
    'state',
    'keys',
    'outbound',
    'http',
    'platform',
    'settings',
    'config.ts',
    'compose',
    'log.ts',
  ],
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
    'platform',
    'settings',
    'config.ts',
    'compose',
    'compose.ts',
    'log.ts',
  ],
};

/** One file that names another, for its types alone or not. */
interface Import {
  readonly file: string;
  readonly target: string;
  /** The parts that they belong to. */
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
      .map((target) => ({
        file: relative(SRC, file),
        target: relative(SRC, target),
        from: partOf(file),
        to: partOf(target),
      })),
  );
}

/**
 * The ways that lead from a file back to it, by what each names. A file that is known to lead nowhere is not followed
 * again.
 */
function cycles(named: ReadonlyMap<string, readonly string[]>): string[] {
  const finished = new Set<string>();
  const found: string[] = [];
  const follow = (file: string, way: readonly string[]): void => {
    if (way.includes(file)) found.push([...way.slice(way.indexOf(file)), file].join(' → '));
    else if (!finished.has(file)) for (const next of named.get(file) ?? []) follow(next, [...way, file]);
    finished.add(file);
  };
  for (const file of named.keys()) follow(file, []);
  return found;
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

  it('makes use of all that the table allows', () => {
    const used = new Set(internalImports().map(({ from, to }) => `${from} → ${to}`));
    const allowed = Object.entries(MAY_IMPORT).flatMap(([from, parts]) => parts.map((to) => `${from} → ${to}`));
    expect(allowed.filter((arrow) => !used.has(arrow))).toEqual([]);
  });

  it('has no file that imports itself by way of others, be it for types alone', () => {
    const example = { a: ['b', 'c'], b: ['c'], c: ['b'] };
    expect(cycles(new Map(Object.entries(example)))).toEqual(['b → c → b']);
    const named = new Map(sourceFiles().map((file): [string, string[]] => [relative(SRC, file), []]));
    for (const { file, target } of internalImports()) named.get(file)?.push(target);
    expect(cycles(named)).toEqual([]);
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
    // The second hands the variables on to a child and looks at none.
    expect(environment.map((file) => relative(SRC, file))).toEqual(['config.ts', 'platform/child-environment.ts']);
  });
});
