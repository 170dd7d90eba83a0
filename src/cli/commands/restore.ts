import { restoreWithEntry } from '../../compose/restore.js';
import { BackupError } from '../../state/backup.js';
import { holdsAnything } from '../../state/restore.js';
import { StateError } from '../../state/state-error.js';
import { confirmed } from '../admin/confirm.js';
import { CliError } from '../cli-error.js';
import { readCommandSettings } from '../command-settings.js';
import { parseOptions } from '../options.js';

const USAGE = `Usage: tract-context restore --input <file> [options]

  --input <file>      the backup
  --state-dir <dir>   the state to restore (STATE_DIR; state); no service may be using it
  --yes               do not ask, where there is a state already
  --json              print the result as JSON`;

const OPTIONS = {
  input: { type: 'string' },
  'state-dir': { type: 'string' },
  yes: { type: 'boolean' },
  json: { type: 'boolean' },
} as const;

/** `restore`: makes a state directory from a backup; an existing one is put aside. */
export async function run(args: string[]): Promise<number> {
  const { values } = parseOptions(args, OPTIONS, USAGE);
  if (values.help) {
    console.log(USAGE);
    return 0;
  }
  const { input, yes = false } = values;
  if (input === undefined) throw new CliError(`--input is needed\n\n${USAGE}`, 2);
  const { stateDir } = readCommandSettings(['stateDir'], { flags: { stateDir: values['state-dir'] } });
  const question = `The state in ${stateDir} will be put aside for the one in ${input}.`;
  if (holdsAnything(stateDir) && !(await confirmed(question, yes))) return 1;
  try {
    const summary = await restoreWithEntry(input, stateDir, new Date());
    const { records, createdAt, formerDirectory } = summary;
    const lines = [
      `Restored ${records} records of ${createdAt} to ${stateDir}.`,
      ...(formerDirectory === null ? [] : [`What was there before is in ${formerDirectory}.`]),
    ];
    console.log(values.json ? JSON.stringify({ stateDir, ...summary }) : lines.join('\n'));
    return 0;
  } catch (error) {
    throw error instanceof StateError || error instanceof BackupError ? new CliError(error.message, 1) : error;
  }
}
