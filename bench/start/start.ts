import { join } from 'node:path';
import { geoidFromNumber } from '../../src/core/geoid.js';
import { openLive } from '../lib/live-dataset.js';
import { measureProcess } from '../lib/measured-process.js';
import { PROGRAM } from '../lib/program.js';
import { alternate, figure, ratioFigure } from '../lib/rounds.js';
import { type SuiteContext, type SuiteOutcome, WrongAnswerError } from '../lib/suite.js';
import { type KnownPoint, timeFirstAnswer } from './first-answer.js';

const ROUNDS = 15;
const WARM_UPS = 2;
/** Delaware, one of the smallest states. */
const ONE_STATE = '10';

/** A dataset to start the service on, and a point in it whose tract is known. */
interface StartCase {
  readonly datasetsDir: string;
  readonly generation: string;
  readonly point: KnownPoint;
}

/** `start`: time from the start of the process to the first answer, on one state and on the nation. */
export async function runStart({ datasetsDir, tempDir, note }: SuiteContext): Promise<SuiteOutcome> {
  note('making the demo nation and one state of it');
  const state = await makeDemo(join(tempDir, 'start-state'), ['--states', ONE_STATE]);
  const nation = await makeDemo(join(tempDir, 'start-nation'), []);
  const given = describeCase(datasetsDir);
  if (!given) note(`no dataset with outlines in ${datasetsDir}: only the demo datasets are measured`);
  note(`${ROUNDS} rounds`);
  const contestant = <Name extends string>(name: Name, { datasetsDir: dir, point }: StartCase) => ({
    name,
    run: () => timeFirstAnswer({ datasetsDir: dir, point, tempDir }),
  });
  const samples = await alternate<'state' | 'nation' | 'given'>(
    [contestant('state', state), contestant('nation', nation), ...(given ? [contestant('given', given)] : [])],
    { rounds: ROUNDS, warmUps: WARM_UPS },
  );
  const target = { sign: '≤', bound: 500 } as const;
  const sameForAll = { sign: '≤', bound: 1.2 } as const;
  return {
    datasets: {
      'demo, one state': state.generation,
      'demo nation': nation.generation,
      ...(given && { 'the given dataset': given.generation }),
    },
    checks: ['each first answer names the tract that a lookup in the file gives'],
    figures: [
      figure('first answer, one state (demo)', 'ms', samples.state, target),
      figure('first answer, nation (demo)', 'ms', samples.nation, target),
      ratioFigure('nation : one state (demo)', samples.nation, samples.state, sameForAll),
      ...(given
        ? [
            figure('first answer, the given dataset', 'ms', samples.given, target),
            ratioFigure('the given dataset : one state (demo)', samples.given, samples.state, sameForAll),
          ]
        : []),
    ],
  };
}

async function makeDemo(datasetsDir: string, args: readonly string[]): Promise<StartCase> {
  await measureProcess(PROGRAM, ['demo', '--output', datasetsDir, ...args]);
  const made = describeCase(datasetsDir);
  if (!made) throw new WrongAnswerError(`demo published nothing in ${datasetsDir}`);
  return made;
}

/** The live dataset of a directory, with the internal point of the first tract whose outline contains it. */
function describeCase(datasetsDir: string): StartCase | undefined {
  const dataset = openLive(datasetsDir);
  if (!dataset) return undefined;
  const { tracts, outlines, generation } = dataset;
  for (let row = 0; row < tracts.tractCount; row++) {
    const lat = tracts.lats[row] ?? Number.NaN;
    const lng = tracts.lngs[row] ?? Number.NaN;
    if (outlines.locate({ lat, lng }) !== row) continue;
    const geoid = geoidFromNumber(tracts.geoids[row] ?? Number.NaN);
    dataset.release();
    return { datasetsDir, generation, point: { lat, lng, geoid } };
  }
  throw new WrongAnswerError(`${datasetsDir}: no tract holds its own internal point`);
}
