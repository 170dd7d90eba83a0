import Papa from 'papaparse';
import type { InputFile, TextProbe } from '../model.js';
import { cleanHeaderCell } from './delimited.js';

/** So much of a file is looked at to recognize it. */
const PROBE_BYTES = 64 * 1024;

/** Reads the beginning of a file; undefined where it is no text. Throws `InputError` where it cannot be read. */
export async function probeText(file: InputFile): Promise<TextProbe | undefined> {
  const bytes = await readHead(file, PROBE_BYTES);
  if (bytes.byteLength === 0 || bytes.includes(0)) return undefined;
  const text = bytes.toString('utf8');
  const head = text.replace(/^\uFEFF/, '');
  const wholeLines = bytes.byteLength < PROBE_BYTES ? head : head.slice(0, head.lastIndexOf('\n') + 1) || head;
  const delimiter = guessDelimiter(wholeLines.slice(0, (wholeLines.indexOf('\n') + 1 || wholeLines.length + 1) - 1));
  const quoteChar = delimiter === ',' ? '"' : '\u0000';
  const [header = [], ...rows] = Papa.parse<string[]>(wholeLines, { delimiter, quoteChar, preview: 200 }).data;
  return { file, head, delimiter, header: header.map(cleanHeaderCell), rows };
}

/** The separator that the first line has most of. */
function guessDelimiter(line: string): TextProbe['delimiter'] {
  const count = (delimiter: string): number => line.split(delimiter).length;
  if (count('\t') > count(',') && count('\t') >= count('|')) return '\t';
  return count('|') > count(',') ? '|' : ',';
}

async function readHead(file: InputFile, sizeBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let total = 0;
  const stream = await file.open();
  for await (const chunk of stream) {
    chunks.push(chunk);
    total += chunk.length;
    // Leaving the loop destroys the stream.
    if (total >= sizeBytes) break;
  }
  return Buffer.concat(chunks).subarray(0, sizeBytes);
}
