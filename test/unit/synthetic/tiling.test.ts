import { describe, expect, it } from 'vitest';
import { groupBy } from '../../../src/core/group-by.js';
import { buildCountyMap } from '../../../src/load/synthetic/county-map.js';
import { weave } from '../../../src/load/synthetic/weave.js';
import { readTractCounts } from '../../../src/load/tract-counts.js';
import { type DirectedEdge, edgesOfOutline, takeChain, twiceArea, unmatchedEdges } from './edges.js';
import { recordTracts } from './recorder.js';

/** Delaware and Maryland, with islands and deep bays; DC; Alaska across the antimeridian; the regrouped Connecticut. */
const REGIONS = [['10', '24'], ['11'], ['02'], ['09', '44'], ['22']];

/** The counties before tracts are cut from them: nothing here does. */
const { counties: all, seams } = buildCountyMap();

/** Made at once: each time, the county map of the whole nation would be made again. */
const recording = recordTracts({ states: new Set(REGIONS.flat()), seed: 1 });

const bySource = (edges: readonly DirectedEdge[]): Map<string, DirectedEdge[]> =>
  groupBy(edges, ([x, y]) => `${x},${y}`);

describe.each(REGIONS.map((states) => ({ states })))('synthetic tracts of $states', ({ states }) => {
  const isHere = ([geoid]: readonly [string, unknown]): boolean => states.includes(geoid.slice(0, 2));
  const tracts = new Map([...recording.tracts].filter(isHere));
  const outlines = new Map([...recording.outlines].filter(isHere));
  const counties = all.filter(({ fips }) => states.includes(fips.slice(0, 2)));
  const tractEdges = [...outlines.values()].flatMap((outline) => [...edgesOfOutline(outline)]);

  it('share every edge inside with exactly one neighbour, and the rest run along the outer border and cover it', () => {
    const border = bySource(unmatchedEdges(tractEdges));
    const countyEdges = counties.flatMap(({ outline }) => [...edgesOfOutline({ rings: weave(outline, seams) })]);
    for (const edge of unmatchedEdges(countyEdges)) takeChain(border, edge);
    expect([...border.values()].flat()).toEqual([]);
  });

  it('add up to the area inside the outer border, exactly, all with the same orientation', () => {
    expect(twiceArea(tractEdges)).toBe(twiceArea(unmatchedEdges(tractEdges)));
    for (const outline of outlines.values()) expect(twiceArea(edgesOfOutline(outline))).toBeLessThan(0n);
  });

  it('are as many in each county as there really are', () => {
    const counts = readTractCounts();
    const made = groupBy(tracts.keys(), (geoid) => geoid.slice(0, 5));
    expect(counties.map(({ fips }) => [fips, made.get(fips)?.length])).toEqual(
      counties.map(({ fips }) => [fips, counts.get(fips)]),
    );
  });

  it('have closed rings and an outline and a row each', () => {
    expect([...outlines.keys()]).toEqual([...tracts.keys()]);
    for (const { rings } of outlines.values()) {
      expect(rings.length).toBeGreaterThan(0);
      for (const ring of rings) {
        expect(ring.length).toBeGreaterThanOrEqual(8);
        expect(ring.slice(-2)).toEqual(ring.slice(0, 2));
      }
    }
  });
});
