import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { replaceFile } from './durable-files.js';

/** Where things lie below a datasets directory. */
export const GENERATIONS_DIR = 'generations';
const CURRENT_FILE = 'CURRENT';

/** A generation's name: 32 hexadecimal digits. */
const GENERATION_PATTERN = /^[0-9a-f]{32}$/;

export function isGenerationName(name: string): boolean {
  return GENERATION_PATTERN.test(name);
}

/** The path of the file that names the live generation. */
export function currentPath(datasetsDir: string): string {
  return join(datasetsDir, CURRENT_FILE);
}

/** The live generation's name; undefined where nothing is published. */
export function readCurrent(datasetsDir: string): string | undefined {
  try {
    const name = readFileSync(currentPath(datasetsDir), 'utf8').trim();
    return isGenerationName(name) ? name : undefined;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** Makes a generation, which must be complete, the one that is opened from now on. The caller holds the publish lock. */
export function setCurrent(datasetsDir: string, generation: string): void {
  replaceFile(currentPath(datasetsDir), `${generation}\n`);
}

/** The directory of a generation. */
export function generationPath(datasetsDir: string, generation: string): string {
  return join(datasetsDir, GENERATIONS_DIR, generation);
}

/** All complete generations, by name. */
export function listGenerations(datasetsDir: string): string[] {
  try {
    return readdirSync(join(datasetsDir, GENERATIONS_DIR)).filter(isGenerationName).sort();
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

/** Whether the file system says that there is no such file. */
export function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
}
