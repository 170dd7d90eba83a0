import type { Publication } from '../../catalog/directory/publish.js';
import { stateByFips } from '../../core/states.js';
import { Intake } from '../../load/intake/intake.js';
import { WORK_IN_THREADS } from '../../load/outlines/outline-work.js';
import { publishIntake, publishing } from '../../load/publish-intake.js';
import { synthesize } from '../../load/synthetic/synthesize.js';
import { describeReplaced } from '../../load/update/compare-coverage.js';
import { CliError } from '../cli-error.js';
import { withLoaderErrors } from '../loader-errors.js';
import { parseOptions } from '../options.js';
import { describeCommit } from '../published-generation.js';
import { readStates } from '../state-filter.js';
import { withProgress } from '../with-progress.js';

const USAGE = `Usage: tract-context demo --output <dir> [options]

  --output <dir>     datasets directory to publish to
  --states <list>    make only these states: FIPS codes or abbreviations, such as 10,11,27
  --seed <number>    seed of the generator; each seed makes a different nation (default 1)`;

/** `demo`: compiles and publishes a synthetic nation, as it would be done with real files. */
export async function run(args: string[]): Promise<number> {
  const parsed = parseOptions(
    args,
    { output: { type: 'string' }, states: { type: 'string' }, seed: { type: 'string', default: '1' } },
    USAGE,
  );
  if (!parsed) return 0;
  const { values } = parsed;
  const outputDir = values.output;
  if (outputDir === undefined) throw new CliError(`--output is required\n\n${USAGE}`, 2);
  const seed = Number(values.seed);
  if (!/^\d{1,9}$/.test(values.seed))
    throw new CliError(`--seed: ${values.seed} is not a number from 0 to 999999999`, 2);
  const { states } = readStates(values);
  const territory = [...(states ?? [])].find((fips) => stateByFips(fips)?.territory);
  if (territory) throw new CliError(`--states: the demo nation has only the 50 states and DC, not ${territory}`, 2);
  await publishDemo({ outputDir, seed, states });
  return 0;
}

/** Makes the synthetic nation and publishes it; also called by `start` if there is no dataset yet. */
export async function publishDemo(options: {
  readonly outputDir: string;
  readonly seed: number;
  readonly states: ReadonlySet<string> | undefined;
}): Promise<void> {
  const { outputDir, seed, states } = options;
  await withProgress(async (progress) => {
    const make = async (publication: Publication): Promise<void> => {
      const intake = new Intake({ states, territories: false });
      synthesize({ seed, ...(states && { states }), onProgress: (text) => progress.line(text) }, intake);
      const options = { readFrom: 'synthetic' as const, outlineWork: WORK_IN_THREADS };
      const published = await publishIntake(intake, publication, options, progress);
      progress.line(`${describeCommit(outputDir, published)}: SYNTHETIC demo data; no value was measured`);
      for (const line of describeReplaced(outputDir, published)) progress.line(line);
    };
    await withLoaderErrors(outputDir, () => publishing(outputDir, make, { holder: 'demo' }));
  });
}
