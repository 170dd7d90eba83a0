import { type Dirent, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { systemCode } from '../../core/system-code.js';
import { cannotRead } from '../input.js';

/** The contents of a directory tree, by full path. */
export interface Listing {
  readonly files: readonly string[];
  /** Entries that cannot be opened as a file though they may be meant as one, with the reason. */
  readonly skipped: readonly { readonly path: string; readonly why: string }[];
}

/** Of these names an empty directory is what an unpacking or a copy that failed has left. */
const DATA_FILE_NAME = /\.(?:csv|dat|txt|json|gz|zip|shp|dbf)$/i;

/**
 * Lists the files below a directory at any depth, except hidden ones. Symbolic links to files count as files; links to
 * directories are not followed, so that there are no cycles. Throws `InputError` naming a directory that cannot be read.
 */
export function listFiles(dir: string): Listing {
  const files: string[] = [];
  const skipped: Listing['skipped'][number][] = [];
  const walk = (below: string): void => {
    const entries = readDirectory(below);
    if (entries.length === 0 && below !== dir && DATA_FILE_NAME.test(below)) {
      skipped.push({ path: below, why: 'an empty directory' });
    }
    for (const entry of entries) {
      const path = join(below, entry.name);
      if (isHidden(entry.name)) continue;
      if (entry.isDirectory()) walk(path);
      else {
        const why = reasonToSkip(path);
        if (why === undefined) files.push(path);
        else skipped.push({ path, why });
      }
    }
  };
  walk(dir);
  return { files, skipped };
}

/**
 * Whether a name is that of a hidden file or folder, or of the folder in which macOS stores its own attributes in
 * archives.
 */
export function isHidden(name: string): boolean {
  return name === '__MACOSX' || (name.startsWith('.') && name !== '.' && name !== '..');
}

function readDirectory(dir: string): Dirent[] {
  try {
    if (!statSync(dir).isDirectory()) throw new Error('not a directory');
    return readdirSync(dir, { withFileTypes: true });
  } catch (error) {
    throw cannotRead(dir, error);
  }
}

/** A dangling link is skipped and reported; an existing entry that may not be accessed ends the compile. */
function reasonToSkip(path: string): string | undefined {
  try {
    const stats = statSync(path);
    if (stats.isFile()) return undefined;
    return stats.isDirectory() ? 'a symbolic link to a directory, not followed' : 'not a regular file';
  } catch (error) {
    const code = systemCode(error);
    if (code === 'ENOENT' || code === 'ELOOP') return 'a broken symbolic link';
    throw cannotRead(path, error);
  }
}
