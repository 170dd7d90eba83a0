import {
  closeSync,
  constants,
  existsSync,
  fchownSync,
  fstatSync,
  fsyncSync,
  openSync,
  readdirSync,
  statSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { systemCode } from '../core/system-code.js';

/** Whom a directory belongs to. */
export interface Owner {
  readonly uid: number;
  readonly gid: number;
}

/**
 * What the system says to a root without the right to give files away, as in some containers, and where it does not know the
 * owner, as in a user namespace without that one.
 */
export const NOT_TO_BE_GIVEN: ReadonlySet<string | undefined> = new Set(['EPERM', 'EINVAL']);

/** The owner of a directory or, as long as that is missing, of the one above it. */
export function ownerOf(directory: string): Owner {
  if (!existsSync(directory) && dirname(directory) !== directory) return ownerOf(dirname(directory));
  const { uid, gid } = statSync(directory);
  return { uid, gid };
}

/**
 * Gives a directory that this process has made, and all that is in it, to their owner if this process is root's: the user
 * that the service runs as could not open them. What is in it is reached through the open directory: whoever owns the one
 * above could put a link to another in its place meanwhile, and be given what lies there. Only Linux has that path, and not
 * where /proc is not mounted; elsewhere nothing is given.
 */
export function handOver(directory: string, { uid, gid }: Owner): void {
  if (process.platform !== 'linux' || process.getuid?.() !== 0 || uid === 0) return;
  const opened = openSync(directory, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  try {
    // Not the one that was made here.
    if (fstatSync(opened).uid !== 0) return;
    if (existsSync(inside(opened))) give(opened);
  } catch (error) {
    // Everything stays root's.
    if (!NOT_TO_BE_GIVEN.has(systemCode(error))) throw error;
  } finally {
    closeSync(opened);
  }

  function give(file: number): void {
    if (fstatSync(file).isDirectory()) {
      for (const name of readdirSync(inside(file))) {
        const member = openSync(`${inside(file)}/${name}`, constants.O_RDONLY | constants.O_NOFOLLOW);
        try {
          give(member);
        } finally {
          closeSync(member);
        }
      }
    }
    fchownSync(file, uid, gid);
    fsyncSync(file);
  }
}

/** An open directory, whatever has its name by now. */
const inside = (directory: number): string => `/proc/self/fd/${directory}`;

/** Whether root's process has made a directory that stays root's, in place of one, if any, that was another user's. */
export function staysRoots(directory: string, former: string | null): boolean {
  if (process.getuid?.() !== 0 || statSync(directory).uid !== 0) return false;
  return former === null || statSync(former).uid !== 0;
}
