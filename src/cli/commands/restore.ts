import { restoreWithEntry } from '../../compose/restore.js';
import { shellQuoted } from '../../core/shell-quoted.js';
import { BackupError } from '../../state/backup-format.js';
import { openBackup } from '../../state/read-backup.js';
import { holdsState } from '../../state/restore.js';
import { StateError } from '../../state/state-error.js';
import { confirmed } from '../admin/confirm.js';
import { CliError } from '../cli-error.js';
import { readCommandSettings } from '../command-settings.js';
import { parseOptions } from '../options.js';

const USAGE = `Usage: tract-context restore --input <file> [options]

  --input <file>      the backup to restore
  --state-dir <dir>   state directory to restore to (STATE_DIR; state); stop the service that uses it first
  --pause-webhooks    pause all webhook subscriptions, so that a service beside the original does not notify subscribers
  --yes               do not ask before replacing an existing state
  --json              print the result as JSON`;

const OPTIONS = {
  input: { type: 'string' },
  'state-dir': { type: 'string' },
  'pause-webhooks': { type: 'boolean' },
  yes: { type: 'boolean' },
  json: { type: 'boolean' },
} as const;

/** `restore`: makes a state directory from a backup; an existing one is put aside. */
export async function run(args: string[]): Promise<number> {
  const parsed = parseOptions(args, OPTIONS, USAGE);
  if (!parsed) return 0;
  const { values } = parsed;
  const { input, yes = false, 'pause-webhooks': pauseWebhooks = false } = values;
  if (input === undefined) throw new CliError(`--input is required\n\n${USAGE}`, 2);
  const { stateDir } = readCommandSettings(['stateDir'], { flags: { stateDir: values['state-dir'] } });
  try {
    if (holdsState(stateDir) && !yes) {
      // Read before the question: nobody should have to decide about a file that turns out to be no backup.
      const { createdAt } = openBackup(input);
      const question = `The state in ${stateDir} will be moved aside and replaced by the backup ${input} of ${createdAt}.`;
      if (!(await confirmed(question, false))) return 1;
    }
    const summary = await restoreWithEntry(input, stateDir, { now: new Date(), pauseWebhooks });
    const { records, createdAt, formerDirectory, rootsDirectory, activeWebhooks, pausedWebhooks } = summary;
    const lines = [
      `Restored ${records} records to ${stateDir}, backed up at ${createdAt}.`,
      ...(formerDirectory === null ? [] : [`The former state is in ${formerDirectory}.`]),
      ...(rootsDirectory === null ? [] : [tellRoots(rootsDirectory)]),
      ...(activeWebhooks === 0 ? [] : [tellActive(activeWebhooks)]),
      ...(pausedWebhooks === 0 ? [] : [`Webhook subscriptions paused: ${pausedWebhooks}.`]),
    ];
    console.log(values.json ? JSON.stringify({ stateDir, ...summary }) : lines.join('\n'));
    return 0;
  } catch (error) {
    throw error instanceof StateError || error instanceof BackupError ? new CliError(error.message, 1) : error;
  }
}

function tellActive(count: number): string {
  const advice = 'if that is not the original service, restore again with --pause-webhooks before you start it';
  return `Active webhook subscriptions: ${count}. A service with this state notifies them; ${advice}.`;
}

function tellRoots(directory: string): string {
  const command = `chown -R <user>: ${shellQuoted(directory)}`;
  return `The restored state belongs to root. If the service runs as another user, give it to that one: ${command}`;
}
