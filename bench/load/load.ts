import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { readCurrent } from '../../src/catalog/directory/generations.js';
import { consume } from '../lib/consume.js';
import { measureProcess } from '../lib/measured-process.js';
import { MEBIBYTE } from '../lib/mebibyte.js';
import { PROGRAM, READ_SHAPEFILES } from '../lib/program.js';
import { alternate, figure, ratioFigure } from '../lib/rounds.js';
import { type SuiteContext, type SuiteOutcome, WrongAnswerError } from '../lib/suite.js';
import type { ShapefileReading } from '../peers/read-shapefiles.js';
import { unpackShapefiles } from './unpack-shapefiles.js';

const ROUNDS = 3;

/** Runs a publishing command into a fresh directory, and records its peak memory and the published generation. */
function createPublisher(command: string, args: readonly string[], outputDir: string) {
  const generations = new Set<string>();
  const peakRssMib: number[] = [];
  return {
    generations,
    peakRssMib,
    /** Seconds from the start of the process to its end. */
    run: async (): Promise<number> => {
      rmSync(outputDir, { recursive: true, force: true });
      const { wallMs, peakRssBytes } = await measureProcess(PROGRAM, [command, ...args, '--output', outputDir]);
      generations.add(readCurrent(outputDir) ?? 'none');
      peakRssMib.push(peakRssBytes / MEBIBYTE);
      rmSync(outputDir, { recursive: true, force: true });
      return wallMs / 1000;
    },
  };
}

/** Seconds that the npm package `shapefile` takes merely to read the files, without the start of its process. */
async function readShapefiles(mode: 'unpacked' | 'zipped', dir: string): Promise<number> {
  const { stdout } = await measureProcess(READ_SHAPEFILES, [mode, dir]);
  // The script prints exactly one `ShapefileReading`.
  const { readMs, features } = JSON.parse(stdout) as ShapefileReading;
  if (features === 0) throw new WrongAnswerError(`the package shapefile found nothing to read in ${dir}`);
  consume(features);
  return readMs / 1000;
}

/** `load`: compiling all official files to a published dataset, against merely reading the shapefiles among them. */
export async function runLoad({ inputDir, tempDir, note }: SuiteContext): Promise<SuiteOutcome> {
  if (!existsSync(inputDir)) return { skipped: `no official files in ${inputDir}: give a directory with --input` };
  const unpacked = join(tempDir, 'shapefiles');
  const count = await unpackShapefiles(inputDir, unpacked);
  if (count === 0) return { skipped: `no shapefile below ${inputDir}` };
  note(`${ROUNDS} rounds: compile, reading ${count} shapefiles unpacked and zipped, demo`);
  const compile = createPublisher('compile', ['--input', inputDir], join(tempDir, 'compiled'));
  const demo = createPublisher('demo', [], join(tempDir, 'demo'));
  const seconds = await alternate(
    [
      { name: 'compile', run: compile.run },
      { name: 'unpacked', run: () => readShapefiles('unpacked', unpacked) },
      { name: 'zipped', run: () => readShapefiles('zipped', inputDir) },
      { name: 'demo', run: demo.run },
    ],
    // No warm-up: unpacking has just read the large files, so no contestant has to wait for the disk.
    { rounds: ROUNDS, warmUps: 0 },
  );
  return {
    datasets: { compiled: theOnly(compile.generations), demo: theOnly(demo.generations) },
    checks: [`compile and demo gave the same generation in each of ${ROUNDS} rounds`],
    figures: [
      figure('compile, wall time', 's', seconds.compile),
      figure(`shapefile, reading ${count} unpacked`, 's', seconds.unpacked),
      ratioFigure('compile : shapefile, unpacked', seconds.compile, seconds.unpacked, { sign: '≤', bound: 3 }),
      figure(`shapefile, reading ${count} zipped as shipped`, 's', seconds.zipped),
      ratioFigure('compile : shapefile, zipped as shipped', seconds.compile, seconds.zipped, 'less'),
      figure('compile, peak memory', 'MiB', compile.peakRssMib, { sign: '≤', bound: 2048 }),
      figure('demo nation, wall time', 's', seconds.demo, { sign: '≤', bound: 60 }),
      figure('demo nation, peak memory', 'MiB', demo.peakRssMib),
    ],
  };
}

function theOnly(generations: ReadonlySet<string>): string {
  const [generation, ...others] = generations;
  if (generation === undefined || others.length > 0) {
    throw new WrongAnswerError(`equal inputs gave the generations ${[...generations].join(', ')}`);
  }
  return generation;
}
