#!/usr/bin/env node
import { printable, printableLines } from '../core/printable.js';
import { isFileSystemError } from '../platform/file-system-error.js';
import { openNoDebugger } from '../platform/no-debugger.js';
import { packageVersion } from '../platform/package-root.js';
import { keepTickShape } from '../platform/tick-shape.js';
import { writeWholeChunks } from '../platform/whole-chunks.js';
import { CliError } from './cli-error.js';
import { readFirstWord } from './first-word.js';

/** A command: takes its arguments, returns the exit code. */
type Command = (args: string[]) => Promise<number>;

// Imported on demand, so that `serve` does not load the loader.
const COMMANDS: Readonly<Record<string, { readonly summary: string; readonly load: () => Promise<{ run: Command }> }>> =
  {
    serve: { summary: 'answer requests from the published dataset', load: () => import('./commands/serve.js') },
    start: {
      summary: 'serve the synthetic demo dataset; makes it first if missing',
      load: () => import('./commands/start.js'),
    },
    fetch: { summary: 'download official files', load: () => import('./commands/fetch.js') },
    compile: {
      summary: 'compile official files into a dataset and publish it',
      load: () => import('./commands/compile.js'),
    },
    update: {
      summary: 'download what changed, compile, compare, publish and reload',
      load: () => import('./commands/update.js'),
    },
    inspect: {
      summary: 'verify a compiled dataset and show what it contains',
      load: () => import('./commands/inspect.js'),
    },
    demo: { summary: 'compile and publish a synthetic nation', load: () => import('./commands/demo.js') },
    keys: { summary: 'issue, list, rotate and revoke API keys', load: () => import('./commands/keys.js') },
    datasets: { summary: 'list, reload, roll back and prune datasets', load: () => import('./commands/datasets.js') },
    webhooks: {
      summary: 'inspect, pause, replay and delete webhook subscriptions',
      load: () => import('./commands/webhooks.js'),
    },
    system: { summary: 'show status, metrics, settings and audit log', load: () => import('./commands/system.js') },
    backup: {
      summary: 'save the state to one file; the service can keep running',
      load: () => import('./commands/backup.js'),
    },
    restore: { summary: 'restore a state directory from a backup', load: () => import('./commands/restore.js') },
  };

const USAGE = [
  'Usage: tract-context <command> [options]',
  '',
  ...Object.entries(COMMANDS).map(([name, command]) => `  ${name.padEnd(10)}${command.summary}`),
  '',
  'Run tract-context <command> --help for a command’s options, and tract-context --version for the version.',
].join('\n');

async function main(argv: string[]): Promise<number> {
  const { name, args, isHelp } = readFirstWord(argv);
  if (isHelp) {
    console.log(USAGE);
    return 0;
  }
  if (['--version', '-V', 'version'].includes(name)) {
    console.log(packageVersion());
    return 0;
  }
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (!command) {
    console.error(`tract-context: unknown command ${printable(name)}\n\n${USAGE}`);
    return 2;
  }
  try {
    return await (await command.load()).run(args);
  } catch (error) {
    if (!(error instanceof CliError) && !isFileSystemError(error)) throw error;
    console.error(printableLines(`tract-context ${name}: ${error.message}`));
    return error instanceof CliError ? error.exitCode : 1;
  }
}

/**
 * Ignores that the reader of the output has gone (`… | head`). The command still runs to its end, so that a closed pipe
 * neither stops a service nor leaves a change half made, and the exit code is the command's.
 */
function endQuietlyWithoutReader(stream: NodeJS.WriteStream): void {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') return;
    // For example a full disk. Output is lost, so the command must not appear to have succeeded.
    if (stream !== process.stderr) console.error(`tract-context: the output cannot be written: ${error.message}`);
    process.exit(1);
  });
}

keepTickShape();
openNoDebugger();
for (const stream of [process.stdout, process.stderr]) {
  endQuietlyWithoutReader(stream);
  writeWholeChunks(stream);
}
process.exitCode = await main(process.argv.slice(2));
// One of several processes that could not read its program: its channel to the first one would keep it from ending.
if (process.exitCode !== 0 && process.connected) process.exit();
