import { describe, expect, it } from 'vitest';
import { Intake } from '../../../src/load/intake/intake.js';
import type { TractOverlap } from '../../../src/load/intake/tract-rows.js';
import { createBridge } from '../../../src/load/join/bridge.js';
import { knownTracts } from '../../../src/load/join/known-tracts.js';
import { geoidOf, tractOf } from '../../support/layers.js';

const OLD = geoidOf('36005000200');
const NEW = geoidOf('36005000201');
const NEIGHBOUR = geoidOf('36005000400');
const CT_2010 = geoidOf('09001010101');
const CT_COUNTY = geoidOf('09001010102');
const CT_REGION = geoidOf('09190010102');

function bridgeOf(
  tracts: readonly string[],
  overlaps: readonly TractOverlap[],
  moves: readonly [string, string][] = [],
) {
  const intake = new Intake({ territories: false });
  for (const overlap of overlaps) intake.addOverlap(overlap);
  for (const [from, to] of moves) intake.addConnecticutMove(geoidOf(from), geoidOf(to));
  return createBridge(intake, knownTracts(tracts.map(geoidOf)));
}

/** Areas of land, and of water where there is no land. */
function overlap(
  land: readonly [part: number, of2010: number, of2020: number],
  water: readonly [number, number, number] = [0, 0, 0],
): TractOverlap {
  const [landPartSqm, land2010Sqm, land2020Sqm] = land;
  const [waterPartSqm, water2010Sqm, water2020Sqm] = water;
  return {
    geoid2010: OLD,
    geoid2020: NEW,
    landPartSqm,
    land2010Sqm,
    land2020Sqm,
    waterPartSqm,
    water2010Sqm,
    water2020Sqm,
  };
}

describe('a value on 2010 tracts', () => {
  it.each([
    ['the whole of both', overlap([1000, 1000, 1000])],
    ['exactly 97.5% of the larger', overlap([975, 975, 1000])],
    ['exactly 97.5% of the older', overlap([975, 1000, 975])],
    ['all of the land, whatever the water', overlap([1000, 1000, 1000], [0, 5000, 9000])],
    ['97.5% of all area, where there is no land', overlap([0, 0, 0], [975, 1000, 1000])],
    ['97.5% of all area, where the old one has no land', overlap([0, 0, 5], [975, 1000, 995])],
    ['97.5% of all area, where the new one has no land', overlap([0, 5, 0], [975, 995, 1000])],
  ])('moves where old and new tract share %s', (_, shared) => {
    expect(bridgeOf([NEW], [shared]).resolve(OLD, 2010)).toBe(NEW);
  });

  it.each([
    ['the new one is larger (merged)', overlap([974, 974, 1000])],
    ['the old one is larger (split)', overlap([974, 1000, 974])],
    ['only water is shared', overlap([0, 1000, 1000], [1000, 1000, 1000])],
    ['less than 97.5% of water alone is shared', overlap([0, 0, 0], [974, 1000, 1000])],
    ['neither has any area', overlap([0, 0, 0])],
  ])('is left out where %s', (_, shared) => {
    expect(bridgeOf([NEW], [shared]).resolve(OLD, 2010)).toEqual({ leave: '2010 tract redrawn in 2020' });
  });

  it('is left out without a relationship, never moved by an equal code', () => {
    expect(bridgeOf([OLD], []).resolve(OLD, 2010)).toEqual({ leave: '2010 tract without a relationship file' });
  });

  it('is left out as missing from the relationship file if its state has such a file', () => {
    const bridge = bridgeOf([NEW], [overlap([1000, 1000, 1000])]);
    expect(bridge.resolve(NEIGHBOUR, 2010)).toEqual({ leave: '2010 tract that is not in the relationship file' });
  });

  it.each([
    ['02158000100', '02270000100', '02158000100'],
    ['46102940500', '46113940500', '46102941000'],
    ['36053030402', '36053940700', '36053030402'],
    ['51019050100', '51515050100', '51019050100'],
  ])('that got another code within the decade (%s) moves as the tract of 2010 that it was', (later, of2010, of2020) => {
    const shared = { ...overlap([1, 1, 1]), geoid2010: geoidOf(of2010), geoid2020: geoidOf(of2020) };
    const bridge = bridgeOf([of2020], [shared]);
    for (const published of [later, of2010]) expect(bridge.resolve(geoidOf(published), 2010)).toBe(of2020);
    expect(bridge.resolve(geoidOf(later), 2010, true)).toBe(of2020);
    expect(bridgeOf([of2020], [{ ...shared, landPartSqm: 0.5 }]).resolve(geoidOf(later), 2010)).toEqual({
      leave: '2010 tract redrawn in 2020',
    });
  });

  it('is rejected where it would move to a tract that is not loaded', () => {
    expect(bridgeOf([NEIGHBOUR], [overlap([1, 1, 1])]).resolve(OLD, 2010)).toEqual({
      reject: 'GEOID of an unknown tract',
    });
  });
});

describe('Connecticut', () => {
  const moves: [string, string][] = [[CT_COUNTY, CT_REGION]];

  it('moves from county tracts to planning-region tracts by the crosswalk', () => {
    const bridge = bridgeOf([CT_REGION], [], moves);
    expect([bridge.resolve(CT_COUNTY, 2020), bridge.resolve(CT_REGION, 2020)]).toEqual([CT_REGION, CT_REGION]);
  });

  it('of 2010 moves through both crosswalks', () => {
    const shared = { ...overlap([1, 1, 1]), geoid2010: CT_2010, geoid2020: CT_COUNTY };
    expect(bridgeOf([CT_REGION], [shared], moves).resolve(CT_2010, 2010)).toBe(CT_REGION);
  });

  it('stays on its counties where these are the loaded tracts', () => {
    expect(bridgeOf([CT_COUNTY], [], moves).resolve(CT_COUNTY, 2020)).toBe(CT_COUNTY);
  });

  it('is left out, not rejected, where no crosswalk moves it', () => {
    expect(bridgeOf([CT_REGION], []).resolve(CT_COUNTY, 2020)).toEqual({
      leave: 'Connecticut county tract, and the input has no Connecticut crosswalk',
    });
    expect(bridgeOf([CT_REGION], [], moves).resolve(geoidOf('09001123456'), 2020)).toEqual({
      leave: 'Connecticut county tract that is not in the crosswalk',
    });
  });

  it('is left out where the crosswalk moves it to a tract that is not loaded', () => {
    expect(bridgeOf(['09190123456'], [], moves).resolve(CT_COUNTY, 2020)).toEqual({
      leave: 'Connecticut county tract that is not in the crosswalk',
    });
  });

  it.each([
    ['09015010101', 'counties'],
    ['09110010101', 'planning regions'],
    ['09190010101', 'planning regions'],
  ])('with a tract %s has %s', (geoid, areas) => {
    expect(knownTracts([geoidOf(geoid)]).connecticut).toBe(areas);
  });

  it('by planning regions is left out, with that reason, where the tracts are by county', () => {
    expect(bridgeOf([CT_COUNTY], [], moves).resolve(CT_REGION, 2020)).toEqual({
      leave: 'Connecticut planning-region tract, the newest outlines have counties',
    });
    const intake = new Intake({ territories: false });
    intake.addTract(tractOf(CT_COUNTY), 2021, intake.tally('gazetteer', 'Gazetteer 2021'));
    expect(createBridge(intake, knownTracts([CT_COUNTY])).resolve(CT_REGION, 2020)).toEqual({
      leave: 'Connecticut planning-region tract, the gazetteer loaded has counties',
    });
  });

  it('is rejected where a tract has the names in use and is not known', () => {
    for (const [known, other] of [
      [CT_REGION, '09190123456'],
      [CT_COUNTY, '09001123456'],
    ] as const) {
      const resolved = bridgeOf([known], [], moves).resolve(geoidOf(other), 2020);
      expect(resolved).toEqual({ reject: 'GEOID of an unknown tract' });
    }
  });
});

describe('a GEOID', () => {
  it('of 2010 that lost its zero is left out as all are, not rejected, where no relationship file is loaded', () => {
    expect(bridgeOf(['06027000900'], []).resolve(geoidOf('06027000800'), 2010, true)).toEqual({
      leave: '2010 tract without a relationship file',
    });
  });

  it('of an old county of Connecticut that lost its zero is left out as others are, with or without a crosswalk', () => {
    const move: [string, string] = [CT_COUNTY, CT_REGION];
    for (const moves of [[], [move]]) {
      const bridge = bridgeOf([CT_REGION], [], moves);
      for (const padded of [false, true]) {
        expect(bridge.resolve(geoidOf('09001123456'), 2020, padded)).toEqual({
          leave: expect.stringMatching(/^Connecticut county tract/),
        });
      }
    }
  });

  it('of a state that has no tract in the input is left out, whatever else it may be', () => {
    const bridge = bridgeOf([NEW], [], []);
    for (const [geoid, vintage, padded] of [
      ['10001040100', 2020, false],
      ['09001010101', 2020, false],
      ['06027000800', 2020, true],
      ['10001040100', 2010, false],
    ] as const) {
      expect(bridge.resolve(geoidOf(geoid), vintage, padded)).toEqual({
        leave: 'the input has no tracts of this state',
      });
    }
  });

  it('of a water-only tract is left out where no gazetteer lists it: cartographic boundaries have none', () => {
    const water = geoidOf('36005990100');
    expect(bridgeOf([NEW], []).resolve(water, 2020)).toEqual({ leave: 'water-only tract without an outline' });
    // Parks and airports, whose codes begin with 98, have outlines.
    expect(bridgeOf([NEW], []).resolve(geoidOf('36005980100'), 2020)).toEqual({ reject: 'GEOID of an unknown tract' });
    const intake = new Intake({ territories: false });
    intake.addTract(tractOf(NEW), 2023, intake.tally('gazetteer', 'Gazetteer 2023'));
    expect(createBridge(intake, knownTracts([NEW])).resolve(water, 2020)).toEqual({
      reject: 'GEOID of an unknown tract',
    });
  });

  it('that is no tract is rejected', () => {
    expect(bridgeOf([NEW], []).resolve(OLD, 2020)).toEqual({ reject: 'GEOID of an unknown tract' });
    expect(bridgeOf([NEW], [overlap([1, 1, 1])]).resolve(OLD, 2020)).toEqual({
      reject: 'tract of 2010 in a file of a year with 2020 tracts: the year in its name or folder may be wrong',
    });
    // The code of the tract is one of 2020 as well.
    const same = { ...overlap([1, 1, 1]), geoid2020: OLD };
    expect(bridgeOf([NEW], [same]).resolve(OLD, 2020)).toEqual({ reject: 'GEOID of an unknown tract' });
  });

  it('that lost its zero is taken where that gives a known tract of either delineation or Connecticut’s old ones', () => {
    const shared = { ...overlap([1, 1, 1]), geoid2010: CT_2010, geoid2020: CT_COUNTY };
    const bridge = bridgeOf([CT_REGION], [shared], [[CT_COUNTY, CT_REGION]]);
    expect(bridge.resolve(CT_REGION, 2020, true)).toBe(CT_REGION);
    expect(bridge.resolve(CT_COUNTY, 2020, true)).toBe(CT_REGION);
    expect(bridge.resolve(CT_2010, 2010, true)).toBe(CT_REGION);
    for (const [geoid, vintage] of [
      ['09001999999', 2010],
      ['09190999999', 2020],
      ['01001999999', 2020],
    ] as const) {
      const states = bridgeOf([CT_REGION, '01001020100'], [shared], [[CT_COUNTY, CT_REGION]]);
      expect(states.resolve(geoidOf(geoid), vintage, true)).toEqual({
        reject: 'GEOID of 10 digits that matches no tract with a leading zero',
      });
    }
  });
});
