import { join } from 'node:path';
import { formatBytes } from '../../core/format-bytes.js';
import { backupState } from '../../state/backup.js';
import { BackupError } from '../../state/backup-format.js';
import { isStateDirectory } from '../../state/data-file.js';
import { openState } from '../../state/open-state.js';
import { WEBHOOK_KEY_FILE } from '../../state/own-files.js';
import { createSecretBox } from '../../state/secret-box.js';
import { findSecretKey } from '../../state/secret-key.js';
import { StateError } from '../../state/state-error.js';
import type { StateStore } from '../../state/store.js';
import { countUnopenable } from '../../webhooks/subscriptions.js';
import { CliError } from '../cli-error.js';
import { readCommandSettings } from '../command-settings.js';
import { parseOptions } from '../options.js';

const USAGE = `Usage: tract-context backup --output <file> [options]

  --output <file>     the backup to write; must not exist yet
  --state-dir <dir>   the state to back up (STATE_DIR; state)
  --json              print the result as JSON

The service can keep running. The backup contains the key files, so keep it as safe as those; its mode is 0600.
The state directory must be writable; of a read-only snapshot of the disk, back up a copy.
It does not contain WEBHOOK_SECRET_KEY: back that up separately.`;

const WHICH = 'set --state-dir or STATE_DIR to the service’s state directory';

/** LMDB marks in a file of the directory which pages are being read, since a service would write over them. */
const WHO =
  'a backup has to lock it against those who write: run this as the service’s user, and of a read-only snapshot of the disk back up a copy';

/** What to keep besides the backup, because the key file in it does not open all subscribers' secrets; undefined if it does. */
async function keepTheKey(state: StateStore): Promise<string | undefined> {
  const inFile = findSecretKey(state.directory, WEBHOOK_KEY_FILE);
  const subscriptions = await countUnopenable(state, createSecretBox(inFile));
  if (subscriptions === 0) return undefined;
  const configured = configuredKey();
  const isConfigured = configured !== undefined && (await countUnopenable(state, createSecretBox(configured))) === 0;
  const file = join(state.directory, WEBHOOK_KEY_FILE);
  const otherwise =
    inFile === undefined
      ? `${file} is missing. If the service uses WEBHOOK_SECRET_KEY instead, back that up separately; otherwise restore the file`
      : `${file} contains a different key. Back up the right one separately, for example the service’s WEBHOOK_SECRET_KEY`;
  return (
    `The backup lacks the key that encrypts webhook secrets (subscriptions concerned: ${subscriptions}). ` +
    `${isConfigured ? 'It is the WEBHOOK_SECRET_KEY set here. Back it up separately' : otherwise}: ` +
    'without it their events cannot be signed.'
  );
}

/** The WEBHOOK_SECRET_KEY of this command's environment. One that is not usable must not keep anyone from a backup. */
function configuredKey(): Uint8Array | undefined {
  try {
    return readCommandSettings(['webhookSecretKey']).webhookSecretKey;
  } catch {
    return undefined;
  }
}

/** `backup`: writes everything in a state directory to one file. */
export async function run(args: string[]): Promise<number> {
  const options = { output: { type: 'string' }, 'state-dir': { type: 'string' }, json: { type: 'boolean' } } as const;
  const parsed = parseOptions(args, options, USAGE);
  if (!parsed) return 0;
  const { values } = parsed;
  const { output } = values;
  if (output === undefined) throw new CliError(`--output is required\n\n${USAGE}`, 2);
  const { stateDir } = readCommandSettings(['stateDir'], { flags: { stateDir: values['state-dir'] } });
  try {
    // Opening a missing state would create an empty one, and the backup would contain nothing.
    if (!isStateDirectory(stateDir)) throw new CliError(`${stateDir}: no state found here; ${WHICH}`, 1);
    const state = await openState(stateDir);
    try {
      // First, since a key file that must not be used ends the command: no backup is then left that seems to have failed.
      const advice = await keepTheKey(state);
      const summary = await backupState(state, output, new Date());
      const text = `Backed up ${summary.records} records to ${output} (${formatBytes(summary.sizeBytes)}).`;
      console.log(values.json ? JSON.stringify({ file: output, ...summary }) : text);
      if (advice !== undefined) console.error(advice);
      return 0;
    } finally {
      await state.close();
    }
  } catch (error) {
    if (error instanceof StateError && error.code === 'not-writable') throw new CliError(`${error.message}; ${WHO}`, 1);
    throw error instanceof StateError || error instanceof BackupError ? new CliError(error.message, 1) : error;
  }
}
