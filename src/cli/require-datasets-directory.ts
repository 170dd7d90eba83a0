import { stat } from 'node:fs/promises';
import { systemCode } from '../core/system-code.js';
import { describeSetting } from '../settings/settings.js';

/**
 * Rejects if the setting names a file, or something inside of one. A directory that is not there may come later, as one
 * that is mounted after the start does; the service waits for it.
 */
export async function requireDatasetsDirectory(datasetsDir: string): Promise<void> {
  if (await mayBecomeDirectory(datasetsDir)) return;
  throw new Error(`${describeSetting('datasetsDir')} is ${JSON.stringify(datasetsDir)}, which is not a directory`);
}

async function mayBecomeDirectory(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch (error) {
    return systemCode(error) !== 'ENOTDIR';
  }
}
