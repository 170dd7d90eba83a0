import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { systemCode } from '../../core/system-code.js';
import { replaceFile } from '../../platform/durable-files.js';
import { CatalogError } from './catalog-error.js';

/** Names within a datasets directory. */
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
 * The published generation's name; undefined if there is no `CURRENT`, or if it names no generation, which the next
 * publication repairs. Throws {@link CatalogError} if `CURRENT` cannot be read.
 */
export function readCurrent(datasetsDir: string): string | undefined {
  const name = readCurrentFile(datasetsDir)?.trim();
  return name !== undefined && isGenerationName(name) ? name : undefined;
}

/**
 * The published generation's name, for callers that must not mistake a broken `CURRENT` for nothing published: throws
 * {@link CatalogError} also if `CURRENT` exists and names no generation. Undefined if there is no `CURRENT`.
 */
export function readPublished(datasetsDir: string): string | undefined {
  const name = readCurrentFile(datasetsDir)?.trim();
  if (name === undefined || isGenerationName(name)) return name;
  const content = name === '' ? 'it is empty' : 'its content is not the name of a generation';
  throw new CatalogError('nothing-published', `${CURRENT_FILE} names no generation: ${content}`);
}

/** Throws {@link CatalogError} if there is no datasets directory, for example because its volume is not mounted. */
export function requireDirectory(datasetsDir: string): void {
  if (!existsSync(datasetsDir)) throw new CatalogError('nothing-published', 'no such directory');
}

/** The published generation's name. Throws {@link CatalogError} unless `CURRENT` names a generation that is here. */
export function requirePublished(datasetsDir: string): string {
  const published = readPublished(datasetsDir);
  requireDirectory(datasetsDir);
  if (published === undefined) throw new CatalogError('nothing-published', 'no dataset is published');
  if (!listGenerations(datasetsDir).includes(published)) throw absentCurrent(published);
  return published;
}

/** Throws {@link CatalogError} unless a complete generation with this name is here. */
export function requireGeneration(datasetsDir: string, generation: string): void {
  if (isGenerationName(generation) && listGenerations(datasetsDir).includes(generation)) return;
  throw new CatalogError('unknown-generation', `there is no generation ${generation}`);
}

/** The error for a `CURRENT` that names a generation which does not exist. */
export function absentCurrent(generation: string): CatalogError {
  return new CatalogError(
    'unknown-generation',
    `${CURRENT_FILE} names generation ${generation}, which does not exist here`,
  );
}

function readCurrentFile(datasetsDir: string): string | undefined {
  try {
    return readFileSync(currentPath(datasetsDir), 'utf8');
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw unreadable(CURRENT_FILE, error);
  }
}

/** The error for a file or directory, by its name within the datasets directory, that the system refuses to read. */
export function unreadable(name: string, error: unknown): CatalogError {
  const code = systemCode(error) ?? String(error);
  return new CatalogError('unreadable', `${name} cannot be read: ${UNREADABLE[code] ?? code}`);
}

/** Why a file or directory cannot be read, by the file system's error code. */
const UNREADABLE: Readonly<Record<string, string>> = {
  EISDIR: 'it is a directory',
  ENOTDIR: 'a part of its path is not a directory',
  EACCES: 'no permission',
  EPERM: 'no permission',
  ELOOP: 'it is a circular symbolic link',
};

/** Makes a complete generation the current one, which services open from now on. The caller holds the publish lock. */
export function setCurrent(datasetsDir: string, generation: string): void {
  replaceFile(currentPath(datasetsDir), `${generation}\n`);
}

/** The directory of a generation. */
export function generationPath(datasetsDir: string, generation: string): string {
  return join(datasetsDir, GENERATIONS_DIR, generation);
}

/** The names of all complete generations, sorted. Throws {@link CatalogError} if they cannot be listed. */
export function listGenerations(datasetsDir: string): string[] {
  try {
    return readdirSync(join(datasetsDir, GENERATIONS_DIR)).filter(isGenerationName).sort();
  } catch (error) {
    if (isMissing(error)) return [];
    throw unreadable(GENERATIONS_DIR, error);
  }
}

/**
 * Identifies a generation's directory by inode and modification time, which change when compile rewrites damaged files
 * under the same name; undefined if there is none. Throws {@link CatalogError} if the directory cannot be inspected.
 */
export function whenMade(datasetsDir: string, generation: string): string | undefined {
  try {
    const stats = statSync(generationPath(datasetsDir, generation), { throwIfNoEntry: false });
    return stats && `${stats.ino} ${stats.mtimeMs}`;
  } catch (error) {
    throw unreadable(`generation ${generation}`, error);
  }
}

/**
 * Identifies what a generation's files hold, by the inode, size and modification time of each: unlike {@link whenMade} it
 * also changes while someone copies the files into place. Undefined if they cannot be inspected.
 */
export function whenWritten(datasetsDir: string, generation: string): string | undefined {
  const directory = generationPath(datasetsDir, generation);
  try {
    const files = readdirSync(directory).sort();
    return ['.', ...files]
      .map((name) => {
        const { ino, size, mtimeMs } = statSync(join(directory, name));
        return `${name} ${ino} ${size} ${mtimeMs}`;
      })
      .join('\n');
  } catch {
    return undefined;
  }
}

/** Whether an error of the file system says that there is no such file. */
export function isMissing(error: unknown): boolean {
  return systemCode(error) === 'ENOENT';
}
