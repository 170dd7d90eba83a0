import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { matchAddress } from '../../src/geocode/match/match-address.js';
import { consume } from '../lib/consume.js';
import { alternate, figure, ratioFigure } from '../lib/rounds.js';
import { type Figure, type SuiteContext, type SuiteOutcome, WrongAnswerError } from '../lib/suite.js';
import { type DamageRow, measureAccuracy } from './accuracy.js';
import { createExactLookup } from './exact-lookup.js';
import { type MillionRanges, makeMillion } from './million.js';
import { readOfficialRanges } from './official-ranges.js';
import { compileRanges, gridTract } from './official-shards.js';
import { measureOverHttp } from './over-http.js';

const SEED = 1;
const ROUNDS = 7;
const WARM_UPS = 1;
const BATCH = 50;
/** The largest share of addresses, in percent, that may be located in a wrong tract. */
const WRONG_TRACT_MAX = 0.2;

/**
 * `geocode`: addresses per second on one thread over a million made-up ranges; latencies over HTTP; and, by kind of damage,
 * the accuracy on addresses made from the official address ranges below the input directory.
 */
export async function runGeocode(context: SuiteContext): Promise<SuiteOutcome> {
  const { datasetsDir, inputDir, tempDir, note } = context;
  note('making a million address ranges');
  const million = makeMillion(join(tempDir, 'million'), SEED);
  const checks = [checkAll(million)];
  note('timing');
  const figures = await measureSpeed(million);
  const overHttp = await measureOverHttp(context);
  if (!overHttp) note(`no dataset with address ranges in ${datasetsDir}: skipping latencies over HTTP`);
  const rows = existsSync(inputDir) ? await accuracyOf(inputDir, join(tempDir, 'official'), note) : undefined;
  if (!rows) note(`no official address ranges below ${inputDir}: skipping accuracy`);
  for (const row of rows ?? []) checks.push(describeRow(row));
  return {
    datasets: { [`${million.files.rangeCount} made-up ranges, seed ${SEED}`]: '', ...overHttp?.datasets },
    checks: [...checks, ...(overHttp?.checks ?? [])],
    figures: [...figures, ...(overHttp?.figures ?? []), ...(rows ?? []).flatMap(accuracyFigures)],
  };
}

/** All timed addresses lie in the ranges: throws `WrongAnswerError` if any is not matched. */
function checkAll({ files, addresses }: MillionRanges): string {
  const missed = addresses.filter((address) => 'noMatch' in matchAddress(files, gridTract, address)).length;
  if (missed > 0) throw new WrongAnswerError(`${missed} of ${addresses.length} addresses are not matched`);
  return `all ${addresses.length} addresses are matched`;
}

async function measureSpeed({ files, addresses, sizeBytes }: MillionRanges): Promise<Figure[]> {
  const exact = createExactLookup(files);
  const cpuMicros: number[] = [];
  const batchMs: number[] = [];
  const { candidate, yardstick } = await alternate(
    [
      {
        name: 'candidate',
        run: () => {
          const before = process.cpuUsage();
          const rate = thousandsASecond(addresses, (address) => matchAddress(files, gridTract, address));
          const { user, system } = process.cpuUsage(before);
          cpuMicros.push((user + system) / addresses.length);
          return rate;
        },
      },
      { name: 'yardstick', run: () => thousandsASecond(addresses, exact) },
    ],
    { rounds: ROUNDS, warmUps: WARM_UPS },
  );
  for (let first = 0; first + BATCH <= addresses.length; first += BATCH) {
    const batch = addresses.slice(first, first + BATCH);
    batchMs.push(BATCH / thousandsASecond(batch, (address) => matchAddress(files, gridTract, address)));
  }
  return [
    figure('addresses, one thread', 'thousand/s', candidate, { sign: '≥', bound: 50 }),
    figure('processor time an address', 'µs', cpuMicros.slice(WARM_UPS), { sign: '≤', bound: 20 }),
    figure('exact lookup in a Map, without tolerance', 'thousand/s', yardstick),
    ratioFigure('geocoder : exact lookup', candidate, yardstick, 'more'),
    figure(`${BATCH} addresses, one after the other`, 'ms', batchMs, { sign: '≤', bound: 5 }),
    figure('file, a million ranges', 'MB', [sizeBytes / 1e6]),
  ];
}

function thousandsASecond(addresses: readonly string[], geocode: (address: string) => object | undefined): number {
  const startedAt = performance.now();
  for (const address of addresses) consume(geocode(address) ? 1 : 0);
  return addresses.length / (performance.now() - startedAt);
}

/**
 * Measures the accuracy on addresses made from the official files, at most that many of each kind of damage; undefined if
 * there are none.
 */
export async function accuracyOf(
  inputDir: string,
  directory: string,
  note: (text: string) => void,
  most?: number,
): Promise<DamageRow[] | undefined> {
  const files = await compileRanges(inputDir, directory);
  const ranges = files ? await readOfficialRanges(inputDir) : [];
  if (!files || ranges.length === 0) return undefined;
  note(`asking for addresses of ${ranges.length} official ranges`);
  const geocode = (address: string): ReturnType<typeof matchAddress> => matchAddress(files, gridTract, address);
  return measureAccuracy({ geocode, ranges, tractAt: gridTract, seed: SEED, most });
}

const percent = (count: number, { asked }: DamageRow): number => (100 * count) / asked;

function describeRow(row: DamageRow): string {
  const { damage, asked, right, tied, missed, misplaced, wrongTract } = row;
  const parts = [`${right} right`, `${tied} rightly ambiguous`, `${missed} without a match`];
  return `${damage.name}: ${asked} asked, ${parts.join(', ')}, ${misplaced} elsewhere in the tract, ${wrongTract} in another tract`;
}

function accuracyFigures(row: DamageRow): Figure[] {
  const { damage, right, tied, wrongTract } = row;
  const bound = 100 * damage.leastRight;
  return [
    figure(`${damage.name}: right or rightly ambiguous`, '%', [percent(right + tied, row)], { sign: '≥', bound }),
    figure(`${damage.name}: wrong tract`, '%', [percent(wrongTract, row)], { sign: '≤', bound: WRONG_TRACT_MAX }),
  ];
}
