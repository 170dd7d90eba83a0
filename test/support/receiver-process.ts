import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { transformSync } from 'rolldown/utils';
import { onTestFinished } from 'vitest';
import { packageFile } from '../../src/platform/package-root.js';
import { eventually } from './eventually.js';
import { freePort } from './free-port.js';

const LANGUAGES = {
  TypeScript: { fence: 'ts', mark: 'createServer', file: 'receiver.mjs', command: process.execPath },
  Python: { fence: 'python', mark: 'HTTPServer', file: 'receiver.py', command: 'python3' },
} as const;
export type ReceiverLanguage = keyof typeof LANGUAGES;
export const RECEIVER_LANGUAGES = ['TypeScript', 'Python'] as const satisfies readonly ReceiverLanguage[];

/** A running receiver from README. */
export interface ReceiverProcess {
  readonly url: string;
  /** One line, with id and body, for each event whose signature the receiver accepted. */
  lines(): string[];
  stop(): Promise<void>;
}

/**
 * Starts README's receiver in its own process until the end of the test; undefined if the language's interpreter is not
 * installed.
 */
export async function startReadmeReceiver(
  language: ReceiverLanguage,
  secret: string,
): Promise<ReceiverProcess | undefined> {
  const { file, command } = LANGUAGES[language];
  const directory = mkdtempSync(join(tmpdir(), 'tract-context-receiver-'));
  const path = join(directory, file);
  writeFileSync(path, language === 'TypeScript' ? withoutTypes(codeOf(language)) : codeOf(language));
  const port = await freePort();
  const env = { PATH: process.env.PATH ?? '', PORT: String(port), WEBHOOK_SECRET: secret };
  const child = spawn(command, [path], { env, stdio: ['ignore', 'pipe', 'ignore'] });
  if (!(await startsUp(child))) return undefined;
  let printed = '';
  child.stdout?.on('data', (chunk: Buffer) => {
    printed += chunk.toString();
  });
  const stop = async (): Promise<void> => {
    if (child.exitCode === null && child.kill('SIGKILL')) await once(child, 'exit');
    rmSync(directory, { recursive: true, force: true });
  };
  onTestFinished(stop);
  const url = `http://127.0.0.1:${port}/`;
  await answers(url);
  return { url, lines: () => printed.split('\n').filter((line) => line !== ''), stop };
}

/** The code block of README that contains the receiver in a language. */
function codeOf(language: ReceiverLanguage): string {
  const { fence, mark } = LANGUAGES[language];
  const blocks = readFileSync(packageFile('README.md'), 'utf8').matchAll(/```(\w+)\n([\s\S]*?)\n```/g);
  for (const [, name, code = ''] of blocks) if (name === fence && code.includes(mark)) return code;
  throw new Error(`README has no receiver in ${language}`);
}

function withoutTypes(code: string): string {
  const { code: plain, errors } = transformSync('receiver.ts', code);
  if (errors.length > 0) throw new Error(`README's receiver is no TypeScript: ${JSON.stringify(errors)}`);
  return plain;
}

async function startsUp(child: ChildProcess): Promise<boolean> {
  return await new Promise((resolve) => {
    child.once('spawn', () => resolve(true));
    child.once('error', () => resolve(false));
  });
}

/** Waits until the receiver answers, as it does not report that it listens; it must refuse an unsigned request. */
async function answers(url: string): Promise<void> {
  const ask = async (): Promise<void> => {
    const { status } = await fetch(url, { method: 'POST', body: '{}' });
    if (status !== 401) throw new Error(`an unsigned request was answered ${status}`);
  };
  await eventually(ask);
}
