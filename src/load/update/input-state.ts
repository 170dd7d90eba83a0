import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { z } from 'zod';
import { contentHash } from '../../format/checksum.js';
import { replaceFile } from '../../platform/durable-files.js';
import { packageFile } from '../../platform/package-root.js';
import { listFiles } from '../files/list-files.js';

/** Records which input a generation was compiled from. */
const stateSchema = z.strictObject({ generation: z.string(), fingerprint: z.string() });

const statePath = (datasetsDir: string): string => join(datasetsDir, '.compiled-from.json');

/**
 * A hash of everything that a compile depends on: the files below the directory (path, size and modification time), the
 * options, and the content of the program and its tables.
 */
export function fingerprintInput(inputDir: string, options: unknown, packageDir = packageFile()): string {
  const files = listFiles(inputDir).files.map((path) => {
    const { size, mtimeMs } = statSync(path);
    return `${relative(inputDir, path)}\t${size}\t${mtimeMs}`;
  });
  return contentHash(Buffer.from(JSON.stringify([resolve(inputDir), files.sort(), options, ownFiles(packageDir)])));
}

/** Names and hashes of the files of the program and its tables. */
function ownFiles(packageDir: string): string[][] {
  return [...hashesIn(join(packageDir, 'dist/program'), '.js'), ...hashesIn(join(packageDir, 'datasets'), '.json')];
}

function hashesIn(directory: string, ending: string): string[][] {
  const names = readdirSync(directory).filter((name) => name.endsWith(ending));
  return names.sort().map((name) => [name, contentHash(readFileSync(join(directory, name)))]);
}

/** The generation that the last update compiled from the input with this fingerprint; undefined if it had another input. */
export function generationCompiledFrom(datasetsDir: string, fingerprint: string): string | undefined {
  try {
    const state = stateSchema.parse(JSON.parse(readFileSync(statePath(datasetsDir), 'utf8')));
    return state.fingerprint === fingerprint ? state.generation : undefined;
  } catch {
    // Without a readable record nothing is known to be.
    return undefined;
  }
}

/** Records, durably, what {@link generationCompiledFrom} tells from then on. Throws file-system errors. */
export function rememberCompiled(datasetsDir: string, generation: string, fingerprint: string): void {
  replaceFile(statePath(datasetsDir), `${JSON.stringify({ generation, fingerprint })}\n`);
}
