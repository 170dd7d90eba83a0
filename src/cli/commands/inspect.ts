import { existsSync } from 'node:fs';
import { findGenerationDamage } from '../../catalog/directory/generation-name.js';
import { generationPath, listGenerations, readCurrent } from '../../catalog/directory/generations.js';
import { type Geoid, parseGeoid } from '../../core/geoid.js';
import { printable } from '../../core/printable.js';
import { openDataset } from '../../format/dataset.js';
import { FormatError } from '../../format/format-error.js';
import { findRow } from '../../query/rows.js';
import { parseGeneration } from '../admin/generation.js';
import { CliError } from '../cli-error.js';
import { damageLine } from '../damage-line.js';
import { explainMissingYears } from '../inspect/explain-years.js';
import { formatInspection } from '../inspect/format-inspection.js';
import { inspectDataset } from '../inspect/inspection.js';
import { parseOptions } from '../options.js';
import { publishedIn, withCurrentErrors } from '../published-generation.js';

const USAGE = `Usage: tract-context inspect <datasets directory> [options]

  --generation <hash>   generation to inspect (default: the published one)
  --geoid <11 digits>   print one tract's record
  --json                print everything as JSON`;

/** `inspect`: shows what a dataset contains; exits 1 if a checksum differs. */
export async function run(args: string[]): Promise<number> {
  const parsed = parseOptions(
    args,
    { generation: { type: 'string' }, geoid: { type: 'string' }, json: { type: 'boolean' } },
    USAGE,
    { positionals: true },
  );
  if (!parsed) return 0;
  const { values, positionals } = parsed;
  const [datasetsDir] = positionals;
  // Empty where a script's variable is unset: that would be the directory in which the command runs.
  if (!datasetsDir || positionals.length > 1)
    throw new CliError(`exactly one datasets directory is required\n\n${USAGE}`, 2);
  const geoid = values.geoid === undefined ? undefined : readGeoid(values.geoid);
  const generation =
    values.generation === undefined ? publishedIn(datasetsDir) : parseGeneration(values.generation, '--generation: ');
  if (generation === undefined) {
    throw new CliError(
      existsSync(datasetsDir)
        ? `${datasetsDir}: no dataset is published here; publish one with "compile --output"`
        : `${datasetsDir}: no such directory`,
      1,
    );
  }
  const all = withCurrentErrors(datasetsDir, () => listGenerations(datasetsDir));
  if (!all.includes(generation)) {
    throw new CliError(`${datasetsDir}: generation ${generation} not found`, 1);
  }
  try {
    const directory = generationPath(datasetsDir, generation);
    // Checked before any content is used: a damaged file can contain anything.
    const damage = findGenerationDamage(directory);
    if (damage.length > 0) throw new CliError(damage.map(damageLine).join('\n'), 1);
    if (geoid !== undefined) return printRecord(directory, geoid);
    const current = withCurrentErrors(datasetsDir, () => readCurrent(datasetsDir));
    const inspection = inspectDataset(directory, { current, all }, Date.now());
    console.log(
      values.json ? JSON.stringify(inspection, null, 2) : formatInspection(inspection).map(printable).join('\n'),
    );
    return 0;
  } catch (error) {
    if (error instanceof FormatError) throw new CliError(error.message, 1);
    throw error;
  }
}

function readGeoid(text: string): Geoid {
  const geoid = parseGeoid(text);
  if (!geoid) throw new CliError(`--geoid: ${text} is not a GEOID (11 digits)`, 2);
  return geoid;
}

function printRecord(directory: string, geoid: Geoid): number {
  const { tracts } = openDataset(directory);
  const row = findRow(tracts, geoid);
  if (row < 0) throw new CliError(`tract ${geoid} is not in this dataset`, 1);
  console.log(JSON.stringify(JSON.parse(tracts.records.text(row)), null, 2));
  // On stderr, so that programs can read the record alone from stdout.
  const missing = explainMissingYears(tracts, row);
  if (missing.length > 0) console.error(['Loaded years that are missing from its trends:', ...missing].join('\n  '));
  return 0;
}
