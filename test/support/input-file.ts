import { Readable } from 'node:stream';
import { probeText } from '../../src/load/files/probe.js';
import type { InputFile } from '../../src/load/input.js';
import type { LoadSink } from '../../src/load/intake/load-sink.js';
import { recognizeText } from '../../src/load/sources/index.js';
import type { Recognition } from '../../src/load/sources/recognition.js';

/** A file that exists only in memory. `path` is its label, and the last segment of `path` its name. */
export function fakeFile(path: string, content: string | Uint8Array): InputFile {
  const bytes = Buffer.from(content);
  return {
    label: path,
    name: path.split(/[/!]/).at(-1) ?? path,
    sizeBytes: bytes.length,
    open: async () => Readable.from([bytes]),
  };
}

/** Rows of cells as CSV, none of which needs quotes, with a line break after the last row. */
export function csvText(rows: readonly (readonly (string | number)[])[]): string {
  return rows.map((row) => `${row.join(',')}\n`).join('');
}

/** How the text sources recognize a file; undefined if none of them does. */
export async function recognizeFile(file: InputFile): Promise<Recognition | undefined> {
  const probe = await probeText(file);
  return probe && recognizeText(probe);
}

/** Reads a file into the sink; fails the test if the file is refused or not recognized. */
export async function readInto(sink: LoadSink, file: InputFile): Promise<Recognition> {
  const recognition = await recognizeFile(file);
  if (!recognition) throw new Error(`${file.label} was not recognized`);
  if ('refuse' in recognition) throw new Error(`${file.label} was refused: ${recognition.refuse}`);
  await recognition.read(sink);
  return recognition;
}

/** The reason why a file is refused; fails the test if it is not refused. */
export async function refusalOf(file: InputFile): Promise<string> {
  const recognition = await recognizeFile(file);
  if (!recognition || !('refuse' in recognition)) throw new Error(`${file.label} was not refused`);
  return recognition.refuse;
}
