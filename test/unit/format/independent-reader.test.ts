import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import xxhash from '@node-rs/xxhash';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { METRICS } from '../../../src/core/metrics.js';
import { writeOutlinesFile } from '../../../src/format/outlines-file.js';
import { publishTinyDataset, TINY_TRACTS, tinyRecord } from '../../support/tiny-dataset.js';
import {
  elements,
  gridValue,
  liveDirectory,
  type RawFile,
  readDescription,
  readKdTree,
  readRawFile,
  searchRTree,
  texts,
} from './independent-reader.js';

const { xxh64, xxh128 } = xxhash.xxh3;
const FORMAT_PAGE = join(import.meta.dirname, '..', '..', '..', 'schemas', 'FORMAT.md');

let workDir: string;
let directory: string;
let tracts: RawFile;
let outlines: RawFile;

beforeAll(() => {
  workDir = mkdtempSync(join(tmpdir(), 'independent-reader-'));
  publishTinyDataset(workDir);
  directory = liveDirectory(workDir);
  tracts = readRawFile(join(directory, 'tracts.tctx'));
  outlines = readRawFile(join(directory, 'outlines.tctx'));
});

afterAll(() => rmSync(workDir, { recursive: true, force: true }));

const unsigned = (hash: bigint): bigint => BigInt.asUintN(64, hash);
const bytesOf = ({ data }: { data: DataView }): Uint8Array =>
  new Uint8Array(data.buffer, data.byteOffset, data.byteLength);

describe('a reader written from FORMAT.md alone', () => {
  test('reads every GEOID, every value and every record as they were written', () => {
    expect(elements(tracts.section('geoid'))).toEqual(TINY_TRACTS.map((tract) => Number(tract.geoid)));
    METRICS.forEach((metric, metricAt) => {
      const written = TINY_TRACTS.map((tract) => tract.values[metricAt]);
      expect(elements(tracts.section(`value/${metric.path}`)), metric.path).toEqual(written);
    });
    expect(texts(tracts, 'record').map((record) => JSON.parse(record))).toEqual(TINY_TRACTS.map(tinyRecord));
    expect(texts(tracts, 'name')).toEqual(TINY_TRACTS.map((tract) => tract.name));
  });

  test('ranks every value of the unranked metrics by their thresholds, and knows how many tracts have it', () => {
    const unranked = METRICS.filter(({ section }) => section === 'places_measures' || section === 'epa_data');
    expect(unranked).toHaveLength(25);
    const thresholds = elements(tracts.section('distribution/threshold'));
    const known = elements(tracts.section('known/national'));
    unranked.forEach((metric, at) => {
      const values = elements(tracts.section(`value/${metric.path}`)).filter((value) => !Number.isNaN(value));
      const ofMetric = thresholds.slice(at * 1000, (at + 1) * 1000);
      for (const value of values) {
        const below = values.filter((other) => other < value).length;
        const rank = ofMetric.filter((threshold) => threshold < value).length;
        expect(rank, metric.path).toBe(Math.round((below * 1000) / values.length));
      }
      // Every tract of the tiny dataset has residents, or an unknown number of them.
      expect(known[METRICS.indexOf(metric)]).toBe(values.length);
    });
  });

  test('finds the hash of every section of every record as the page defines it', () => {
    const firstKeys = ['total_population', 'svi_themes', 'places_measures', 'epa_data', 'sdoh_index'];
    const expected = texts(tracts, 'record').flatMap((record) => {
      const starts = [...firstKeys.map((key) => record.indexOf(`"${key}":`)), record.length];
      return firstKeys.flatMap((_, at) => {
        const hash = unsigned(xxh64(record.slice(starts[at], (starts[at + 1] ?? 0) - 1)));
        return [Number(hash % 2n ** 32n), Number(hash / 2n ** 32n)];
      });
    });
    expect(elements(tracts.section('record/section-hash'))).toEqual(expected);
  });

  test('reads every summary, with a distance put where it belongs', () => {
    const distanceAt = elements(tracts.section('summary/distance-at'));
    const summaries = texts(tracts, 'summary').map((text, row) => {
      const bytes = Buffer.from(text);
      const [before, after] = [bytes.subarray(0, distanceAt[row]), bytes.subarray(distanceAt[row])];
      return JSON.parse(`${before}${row + 0.25}${after}`);
    });
    const keys = 'geoid name distance_miles total_population median_household_income poverty_rate uninsured_rate';
    const expected = TINY_TRACTS.map((tract, row) => {
      const record: Record<string, unknown> = { ...tinyRecord(tract), distance_miles: row + 0.25 };
      const named = `${keys} unemployment_rate median_age sdoh_index`.split(' ').map((key) => [key, record[key]]);
      return Object.fromEntries(named);
    });
    expect(summaries).toStrictEqual(expected);
    expect(summaries.map((summary) => Object.keys(summary))).toEqual(expected.map((summary) => Object.keys(summary)));
  });

  test('finds the kinds, and the sections in the order that the page lists', () => {
    const page = readFileSync(FORMAT_PAGE, 'utf8');
    const listed = (from: string, to: string): string[] =>
      [...page.slice(page.indexOf(from), page.indexOf(to)).matchAll(/^\| `([a-z/<>-]+)` +\| (?:Bytes|U?Int|Float)/gm)]
        .map((match) => match[1] ?? '')
        .flatMap((name) => (name === 'value/<metric>' ? METRICS.map((metric) => `value/${metric.path}`) : [name]));
    expect(tracts.kind).toBe('tracts');
    expect(outlines.kind).toBe('outlines');
    expect(tracts.sections.map(({ name }) => name)).toEqual(listed('\n## tracts.tctx', '\n### Metrics'));
    expect(outlines.sections.map(({ name }) => name)).toEqual(listed('\n## outlines.tctx', '\n**Rings.**'));
  });

  test('finds the checksums that the page defines, and the generation’s name from them', () => {
    const lines: string[] = [];
    const states = ['27', '55'].map((state) => `addresses-${state}.tctx`);
    const names = ['tracts.tctx', 'outlines.tctx', 'providers.tctx', ...states];
    for (const name of names.filter((file) => existsSync(join(directory, file)))) {
      const file = readRawFile(join(directory, name));
      expect(unsigned(xxh64(file.header))).toBe(file.headerXxh3);
      for (const section of file.sections) {
        expect(unsigned(xxh64(bytesOf(section))), section.name).toBe(section.xxh3);
        lines.push(`${name} ${section.name} ${section.element} ${section.sizeBytes} ${section.xxh3}\n`);
      }
    }
    const hash = BigInt.asUintN(128, xxh128(lines.join('')))
      .toString(16)
      .padStart(32, '0');
    expect(basename(directory)).toBe(hash);
  });

  test('reads the description', () => {
    const { states, metrics, synthetic } = readDescription(tracts);
    expect(synthetic).toBe(true);
    expect(states).toEqual([
      ['27', 20],
      ['55', 10],
    ]);
    expect(metrics).toEqual(METRICS.map((metric) => metric.path));
  });

  test('reads the KD-tree’s points and rows', () => {
    const { ids, points } = readKdTree(tracts.section('internal-point/kd-tree'));
    expect(ids.toSorted((a, b) => a - b)).toEqual(TINY_TRACTS.map((_, row) => row));
    expect(points).toEqual(ids.map((row) => [TINY_TRACTS[row]?.lng, TINY_TRACTS[row]?.lat]));
  });

  test('finds each tract at its middle by R-tree and grid, and its square in the vertices', () => {
    const firstRings = elements(outlines.section('row/first-ring'));
    const firstVertices = elements(outlines.section('ring/first-vertex'));
    const vertices = elements(outlines.section('vertex'));
    const partRows = elements(outlines.section('part/row'));
    TINY_TRACTS.forEach((tract, row) => {
      const [x, y] = [Math.round(tract.lng * 1e7), Math.round(tract.lat * 1e7)];
      expect(searchRTree(outlines.section('part/r-tree'), x, y).map((part) => partRows[part])).toEqual([row]);
      expect([row, 0x7fff_fffe]).toContain(gridValue(outlines, x, y));
      const ring = firstRings[row] ?? 0;
      const square = vertices.slice((firstVertices[ring] ?? 0) * 2, (firstVertices[ring + 1] ?? 0) * 2);
      expect(square.slice(0, 2)).toEqual([Math.round(tract.west * 1e7), Math.round(tract.south * 1e7)]);
      expect(square.slice(-2)).toEqual(square.slice(0, 2));
    });
    expect(gridValue(outlines, 0, 0)).toBe(0x7fff_ffff);
  });

  test('the page’s worked example is what the writer writes', () => {
    const path = join(workDir, 'example.tctx');
    const [west, east, south, north] = [-950_000_000, -949_000_000, 450_000_000, 451_000_000];
    writeOutlinesFile(path, [[Int32Array.of(west, south, east, south, east, north, west, north, west, south)]]);
    const bytes = readFileSync(path);
    const dump = [...readFileSync(FORMAT_PAGE, 'utf8').matchAll(/^([0-9a-f]{8}) {2}((?:[0-9a-f]{2} ){16}) /gm)];
    expect(dump.length).toBeGreaterThan(16);
    for (const [, offset = '', shown = ''] of dump) {
      const at = Number.parseInt(offset, 16);
      expect(bytes.subarray(at, at + 16).toString('hex'), offset).toBe(shown.replaceAll(' ', ''));
    }
  });
});
