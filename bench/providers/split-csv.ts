/**
 * The yardstick for reading the registry: splits a file into cells with the fastest CSV parser found on npm, and keeps
 * nothing. `node split-csv.js <file>` prints a {@link CsvSplitting} as JSON.
 */
import { createReadStream } from 'node:fs';
import { inferSchema, initParser, type Parser } from 'udsv';

/** The time that splitting a file took, and what was found in it. */
export interface CsvSplitting {
  /** From opening the file to the last row, without the start of the process. */
  readonly readMs: number;
  readonly rows: number;
  readonly cells: number;
}

const CHUNK_BYTES = 256 * 1024;

async function split(path: string): Promise<CsvSplitting> {
  const startedAt = performance.now();
  const decoder = new TextDecoder();
  let parser: Parser | undefined;
  let [rows, cells] = [0, 0];
  for await (const chunk of createReadStream(path, { highWaterMark: CHUNK_BYTES })) {
    const text = decoder.decode(chunk, { stream: true });
    parser ??= initParser(inferSchema(text));
    parser.chunk<string[]>(text, parser.stringArrs, (row) => {
      rows++;
      cells += row.length;
    });
  }
  parser?.end();
  return { readMs: performance.now() - startedAt, rows, cells };
}

console.log(JSON.stringify(await split(process.argv[2] ?? '')));
