import { describe, expect, it } from 'vitest';
import { generationPath } from '../../../src/catalog/directory/generations.js';
import { distanceMiles } from '../../../src/core/coordinates.js';
import { METRICS } from '../../../src/core/metrics.js';
import { type Dataset, openDataset } from '../../../src/format/dataset.js';
import { featuresOfRows, type TractFeaturesQuery, tractFeatures } from '../../../src/query/tract-geojson.js';
import { expectValidPolygons, polygonsOf, readCollection, twiceAreaOf } from '../../support/check-geojson.js';
import { plainOutlines, ringOf } from '../../support/plain-outlines.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';
import { textTable } from '../../support/text-table.js';
import { publishTinyDataset, TINY_TRACTS, tinyRecord } from '../../support/tiny-dataset.js';

function tinyDataset(): Dataset {
  const directory = temporaryDirectory();
  return openDataset(generationPath(directory, publishTinyDataset(directory)));
}

function features({ tracts, outlines }: Pick<Dataset, 'tracts' | 'outlines'>, query: Partial<TractFeaturesQuery>) {
  const whole = { selection: { stateFips: '27' }, simplifyDegrees: 0, limit: 2000, ...query };
  return readCollection(tractFeatures(tracts, outlines, whole));
}

const geoidsOf = (collection: ReturnType<typeof readCollection>) =>
  collection.features.map(({ properties }) => properties.geoid);

describe('tract features', () => {
  it('of a state are its tracts in GEOID order, with valid outlines', () => {
    const collection = features(tinyDataset(), {});
    expect(collection.type).toBe('FeatureCollection');
    expect(collection).not.toHaveProperty('truncated');
    expect(geoidsOf(collection)).toEqual(
      TINY_TRACTS.map(({ geoid }) => geoid).filter((geoid) => geoid.startsWith('27')),
    );
    expectValidPolygons(collection.features);
    expect(collection.features[0]?.geometry).toEqual({
      type: 'Polygon',
      coordinates: [
        [
          [-95, 45],
          [-94.9, 45],
          [-94.9, 45.1],
          [-95, 45.1],
          [-95, 45],
        ],
      ],
    });
  });

  it('carry the record as flat properties, under the metrics’ paths', () => {
    const { tracts, outlines } = tinyDataset();
    const [feature] = readCollection(featuresOfRows(tracts, outlines, [6], { simplifyDegrees: 0 })).features;
    const tract = TINY_TRACTS[6];
    if (!tract || !feature) throw new Error('the fixture has 30 tracts');
    const record = tinyRecord(tract);
    const { properties } = feature;
    for (const { path } of METRICS) {
      const [section, key] = path.split('.');
      const nested: unknown = key === undefined ? record[path] : Reflect.get(Object(record[section ?? '']), key);
      expect(properties[path]).toBe(nested);
    }
    const strings = ['geoid', 'state_fips', 'county_fips', 'tract_code', 'name'];
    for (const key of strings) expect(properties[key]).toBe(record[key]);
    expect(properties['epa_data._source']).toBe('synthetic');
    expect(Object.keys(properties)).toHaveLength(METRICS.length + strings.length + 1);
    expect(Object.values(properties)).toContain(null);
  });

  it('have null for all that a missing section would hold', () => {
    const { tracts, outlines } = tinyDataset();
    const record = JSON.stringify({ ...JSON.parse(tracts.records.text(0)), epa_data: null });
    const records = textTable(() => record);
    const collection = readCollection(featuresOfRows({ records }, outlines, [0], { simplifyDegrees: 0 }));
    const environmental = Object.entries(collection.features[0]?.properties ?? {}).filter(([key]) =>
      key.startsWith('epa_data.'),
    );
    expect(environmental).toHaveLength(12);
    expect(new Set(environmental.map(([, value]) => value))).toEqual(new Set([null]));
  });

  it('around a point are those whose internal point is within the radius, by GEOID and not by distance', () => {
    const collection = features(tinyDataset(), {
      selection: { center: { lat: 45.26, lng: -94.56 }, radiusMiles: 7.5 },
    });
    const geoids = geoidsOf(collection);
    expect(geoids).toEqual([...geoids].sort());
    expect(geoids.some((geoid) => String(geoid).startsWith('55'))).toBe(true);
    expect(geoids.some((geoid) => String(geoid).startsWith('27'))).toBe(true);
  });

  it('are cut at the limit, which the answer says', () => {
    const dataset = tinyDataset();
    expect(features(dataset, { limit: 3 })).toMatchObject({ truncated: true });
    expect(geoidsOf(features(dataset, { limit: 3 }))).toEqual(TINY_TRACTS.slice(0, 3).map(({ geoid }) => geoid));
    expect(features(dataset, { limit: 20 })).not.toHaveProperty('truncated');
  });

  it('around a point are the nearest if the limit cuts', () => {
    const dataset = tinyDataset();
    // Off the grid of the tracts' points, so that no two are equally far.
    const center = { lat: 45.163, lng: -94.787 };
    const around = (radiusMiles: number, limit: number) =>
      features(dataset, { selection: { center, radiusMiles }, limit });
    for (let limit = 1; limit < TINY_TRACTS.length; limit++) {
      const nearest = TINY_TRACTS.toSorted((a, b) => distanceMiles(center, a) - distanceMiles(center, b)).slice(
        0,
        limit,
      );
      const collection = around(1000, limit);
      expect(geoidsOf(collection)).toEqual(nearest.map(({ geoid }) => geoid).sort());
      expect(collection).toHaveProperty('truncated', true);
    }
    expect(around(1000, TINY_TRACTS.length)).not.toHaveProperty('truncated');
  });

  it('of a state that is not loaded are none', () => {
    expect(features(tinyDataset(), { selection: { stateFips: '01' } })).toEqual({
      type: 'FeatureCollection',
      features: [],
    });
  });
});

describe('the geometry', () => {
  const corners = (x: number, y: number, side: number) =>
    [
      [x, y],
      [x, y + side],
      [x + side, y + side],
      [x + side, y],
    ] as const;

  it('of a tract without an outline is null', () => {
    const { tracts } = tinyDataset();
    const body = featuresOfRows(tracts, plainOutlines([[]]), [0], { simplifyDegrees: 0.001 });
    expect(readCollection(body).features[0]?.geometry).toBeNull();
  });

  it('of many parts and holes is a MultiPolygon with each hole in its part, whatever the rings’ winding', () => {
    const { tracts } = tinyDataset();
    const rings = [ringOf(corners(0, 0, 6)), ringOf(corners(1, 1, 2)), ringOf([...corners(10, 0, 3)].reverse())];
    for (const simplifyDegrees of [0, 0.01]) {
      const { features } = readCollection(featuresOfRows(tracts, plainOutlines([rings]), [0], { simplifyDegrees }));
      expectValidPolygons(features);
      expect(features[0]?.geometry?.type).toBe('MultiPolygon');
      const polygons = features.flatMap(polygonsOf);
      expect(polygons.map((polygon) => polygon.map((ring) => Number(twiceAreaOf(ring)) / 2e14))).toEqual([
        [36, -4],
        [9],
      ]);
    }
  });

  it('of an island smaller than the tolerance keeps a shape', () => {
    const { tracts } = tinyDataset();
    const circle = Array.from({ length: 60 }, (_, at): readonly [number, number] => {
      const angle = (at / 60) * 2 * Math.PI;
      return [Math.cos(angle), Math.sin(angle)];
    });
    const outlines = plainOutlines([[ringOf(circle, 10_000)]]);
    const { features } = readCollection(featuresOfRows(tracts, outlines, [0], { simplifyDegrees: 0.01 }));
    expectValidPolygons(features);
    expect(features.flatMap(polygonsOf)[0]?.[0]).toHaveLength(5);
  });

  it('of tracts from different products, without common vertices, stays within the tolerance', () => {
    const { tracts } = tinyDataset();
    const wave = (steps: number) =>
      Array.from({ length: steps + 1 }, (_, at): readonly [number, number] => {
        const y = at / steps;
        return [0.002 * Math.sin(20 * y), y];
      });
    const left = ringOf([...wave(40), [-1, 1], [-1, 0]]);
    const right = ringOf([...wave(93).reverse(), [1, 0], [1, 1]]);
    const outlines = plainOutlines([[left], [right]]);
    const { features } = readCollection(featuresOfRows(tracts, outlines, [0, 1], { simplifyDegrees: 0.001 }));
    expectValidPolygons(features);
    const areas = features.flatMap(polygonsOf).map(([outer = []]) => Number(twiceAreaOf(outer)) / 2e14);
    expect(areas.reduce((sum, area) => sum + area, 0)).toBeCloseTo(2, 2);
  });
});
