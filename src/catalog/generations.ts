import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { systemCode } from '../core/system-code.js';
import { replaceFile } from '../platform/durable-files.js';
import { CatalogError } from './catalog-error.js';

/** Where things lie below a datasets directory. */
export const GENERATIONS_DIR = 'generations';
const CURRENT_FILE = 'CURRENT';

/** A generation's name: 32 hexadecimal digits. */
const GENERATION_PATTERN = /^[0-9a-f]{32}$/;

export function isGenerationName(name: string): boolean {
  return GENERATION_PATTERN.test(name);
}

/** The path of the file that names the published generation. */
export function currentPath(datasetsDir: string): string {
  return join(datasetsDir, CURRENT_FILE);
}

/**
 * The published generation's name; undefined where nothing is published, or where `CURRENT` names nothing: the next
 * publication mends that. Throws {@link CatalogError} where it cannot be read.
 */
export function readCurrent(datasetsDir: string): string | undefined {
  const name = readCurrentFile(datasetsDir)?.trim();
  return name !== undefined && isGenerationName(name) ? name : undefined;
}

/**
 * The published generation's name, for what must not go on as if nothing were published: a `CURRENT` that is there and
 * names no generation is a {@link CatalogError}, too. Undefined where there is none.
 */
export function readPublished(datasetsDir: string): string | undefined {
  const name = readCurrentFile(datasetsDir)?.trim();
  if (name === undefined || isGenerationName(name)) return name;
  const content = name === '' ? 'it is empty' : 'what it holds is no generation’s name';
  throw new CatalogError('nothing-published', `${CURRENT_FILE} names no generation: ${content}`);
}

/** What is wrong where `CURRENT` names a generation that is not there. */
export function absentCurrent(generation: string): CatalogError {
  return new CatalogError('unknown-generation', `${CURRENT_FILE} names generation ${generation}, which is not here`);
}

function readCurrentFile(datasetsDir: string): string | undefined {
  try {
    return readFileSync(currentPath(datasetsDir), 'utf8');
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw unreadable(CURRENT_FILE, error);
  }
}

function unreadable(name: string, error: unknown): CatalogError {
  const code = systemCode(error) ?? String(error);
  return new CatalogError('nothing-published', `${name} cannot be read: ${UNREADABLE[code] ?? code}`);
}

/** Why a file or a directory cannot be read, by the file system's code. */
const UNREADABLE: Readonly<Record<string, string>> = {
  EISDIR: 'it is a directory',
  ENOTDIR: 'a part of its path is no directory',
  EACCES: 'no permission',
  EPERM: 'no permission',
  ELOOP: 'it is a link that leads in a circle',
};

/** Makes a generation, which must be complete, the one that is opened from now on. The caller holds the publish lock. */
export function setCurrent(datasetsDir: string, generation: string): void {
  replaceFile(currentPath(datasetsDir), `${generation}\n`);
}

/** The directory of a generation. */
export function generationPath(datasetsDir: string, generation: string): string {
  return join(datasetsDir, GENERATIONS_DIR, generation);
}

/** All complete generations, by name. Throws {@link CatalogError} where they cannot be listed. */
export function listGenerations(datasetsDir: string): string[] {
  try {
    return readdirSync(join(datasetsDir, GENERATIONS_DIR)).filter(isGenerationName).sort();
  } catch (error) {
    if (isMissing(error)) return [];
    throw unreadable(GENERATIONS_DIR, error);
  }
}

/**
 * When a generation's directory was made, by which compile tells that it has written damaged files anew; undefined
 * where there is none. Throws {@link CatalogError} where it cannot be looked at.
 */
export function whenMade(datasetsDir: string, generation: string): string | undefined {
  try {
    const stats = statSync(generationPath(datasetsDir, generation), { throwIfNoEntry: false });
    return stats && `${stats.ino} ${stats.mtimeMs}`;
  } catch (error) {
    throw unreadable(`generation ${generation}`, error);
  }
}

/** Whether the file system says that there is no such file. */
export function isMissing(error: unknown): boolean {
  return systemCode(error) === 'ENOENT';
}
