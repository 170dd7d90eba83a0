import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { measureProcess } from '../lib/measured-process.js';
import { MEBIBYTE } from '../lib/mebibyte.js';
import { PROGRAM, SPLIT_CSV } from '../lib/program.js';
import { alternate, figure, ratioFigure } from '../lib/rounds.js';
import { type Figure, type SuiteContext, WrongAnswerError } from '../lib/suite.js';
import { type Postal, writeNppesFile } from './nppes-file.js';
import type { CsvSplitting } from './split-csv.js';

/**
 * How often the first file is loaded. The other, larger files show that memory does not grow with the file, for which
 * one round is enough.
 */
const ROUNDS = 3;
const ZIPS = 1000;

/** Compiling a file in NPPES layout to a published dataset, against a CSV parser that merely splits the same file. */
export async function measureRegistry({
  tempDir,
  registryRows,
  note,
}: SuiteContext): Promise<{ checks: string[]; figures: Figure[] }> {
  const checks: string[] = [];
  const figures: Figure[] = [];
  for (const [position, rows] of registryRows.entries()) {
    const rounds = position === 0 ? ROUNDS : 1;
    const inputDir = join(tempDir, `registry-${rows}`);
    note(`writing ${rows} rows`);
    const { path, sizeBytes } = writeInput(inputDir, rows);
    note(`loading ${rows} rows, ${rounds} rounds`);
    const peakMib: number[] = [];
    const seconds = await alternate(
      [
        { name: 'split', run: () => splitSeconds(path, rows) },
        { name: 'compile', run: () => compileSeconds(inputDir, join(tempDir, 'registry'), peakMib) },
      ],
      { rounds, warmUps: 0 },
    );
    rmSync(inputDir, { recursive: true });
    const label = `${rows / 1e6} million rows`;
    checks.push(`${label}: the parser finds as many rows as were written`);
    const rate = (taken: readonly number[]): number[] => taken.map((value) => sizeBytes / MEBIBYTE / value);
    figures.push(
      figure(`${label}, compile`, 'MiB/s', rate(seconds.compile)),
      figure(`${label}, udsv splitting`, 'MiB/s', rate(seconds.split)),
      ratioFigure(`${label}, compile : udsv splitting, speed`, seconds.split, seconds.compile, {
        sign: '≥',
        bound: 0.5,
      }),
      figure(`${label}, peak memory`, 'MiB', peakMib, { sign: '≤', bound: 1024 }),
    );
  }
  return { checks, figures };
}

/** Writes a registry file, a gazetteer with one tract, and one with the ZIPs that locate the providers. */
function writeInput(dir: string, rows: number): { path: string; sizeBytes: number } {
  mkdirSync(dir, { recursive: true });
  const columns = 'GEOID\tALAND\tAWATER\tALAND_SQMI\tAWATER_SQMI\tINTPTLAT\tINTPTLONG\n';
  const tract = '27001000100\t1\t0\t0\t0\t45.0\t-94.0\n';
  writeFileSync(join(dir, '2023_Gaz_tracts_national.txt'), `USPS\t${columns}MN\t${tract}`);
  const places = Array.from({ length: ZIPS }, (_, index): Postal => ({ state: 'MN', zip: String(55_000 + index) }));
  const zips = places.map(({ zip }, index) => `${zip}\t1\t0\t0\t0\t${44 + (index % 40) / 20}\t${-95 + index / 800}\n`);
  writeFileSync(join(dir, '2023_Gaz_zcta_national.txt'), columns + zips.join(''));
  const path = join(dir, 'npidata_pfile_20050523-20240107.csv');
  return { path, sizeBytes: writeNppesFile(path, rows, places) };
}

async function splitSeconds(path: string, rows: number): Promise<number> {
  const { stdout } = await measureProcess(SPLIT_CSV, [path]);
  // The script prints exactly one `CsvSplitting`.
  const splitting = JSON.parse(stdout) as CsvSplitting;
  if (splitting.rows !== rows) throw new WrongAnswerError(`udsv finds ${splitting.rows} of ${rows} rows`);
  return splitting.readMs / 1000;
}

/** Seconds that `compile` takes, from the start of its process to the end; appends its peak memory to `peakMib`. */
async function compileSeconds(inputDir: string, outputDir: string, peakMib: number[]): Promise<number> {
  const { wallMs, peakRssBytes } = await measureProcess(PROGRAM, [
    'compile',
    ...['--input', inputDir, '--output', outputDir],
  ]);
  rmSync(outputDir, { recursive: true });
  peakMib.push(peakRssBytes / MEBIBYTE);
  return wallMs / 1000;
}
