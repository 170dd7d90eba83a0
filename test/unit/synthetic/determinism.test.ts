import { describe, expect, it } from 'vitest';
import { rowsOf } from '../../support/layers.js';
import { variants } from '../../support/rounds.js';
import { type Recording, record } from './recorder.js';

/** Everything that a run gave of one state, in a form that shows each bit. */
function stateOf(recording: Recording, state: string): unknown {
  const mine = <Value>([key]: readonly [string, Value]): boolean => key.startsWith(state);
  return {
    tracts: [...recording.tracts].filter(mine),
    outlines: [...recording.outlines]
      .filter(mine)
      .map(([geoid, { rings }]) => [geoid, rings.map((ring) => ring.join())]),
    names: [...recording.countyNames].filter(mine),
    layers: recording.layers.map((layer) => [
      layer.key,
      rowsOf(layer)
        .filter(mine)
        .map(([geoid, values]) => [geoid, values.join()]),
    ]),
  };
}

describe('synthesize', () => {
  const delaware = record({ states: new Set(['10']), seed: 1 });

  it('gives the same for the same seed', () => {
    expect(stateOf(record({ states: new Set(['10']), seed: 1 }), '10')).toEqual(stateOf(delaware, '10'));
  });

  it('gives other outlines and values for another seed', () => {
    const other = record({ states: new Set(['10']), seed: 2 });
    expect([...other.outlines.values()]).not.toEqual([...delaware.outlines.values()]);
    const [ofOther, ofDelaware] = [other, delaware].map(({ layers: [first] }) => rowsOf(first ?? expect.fail()));
    expect(ofOther?.length).toBe(ofDelaware?.length);
    expect(ofOther).not.toEqual(ofDelaware);
  });

  it('gives a state the same whichever of its neighbours are made too, and tells what it is at', () => {
    const told: string[] = [];
    // Pennsylvania is larger than the others together.
    const states = variants(['10', '24', '34'], ['42']);
    const withNeighbours = record({ states: new Set(states), seed: 1, onProgress: (text) => told.push(text) });
    expect(withNeighbours.tracts.size).toBeGreaterThan(delaware.tracts.size);
    expect(stateOf(withNeighbours, '10')).toEqual(stateOf(delaware, '10'));
    expect(told).toEqual([
      ...states.map((state) => `tracts of state ${state}`),
      `values of ${withNeighbours.tracts.size} tracts`,
    ]);
  });

  it('gives nothing of states that are not wanted', () => {
    expect([...delaware.tracts.keys()].every((geoid) => geoid.startsWith('10'))).toBe(true);
    expect([...delaware.countyNames.keys()]).toEqual(['10001', '10003', '10005']);
    for (const layer of delaware.layers) {
      for (const geoid of layer.positions.keys()) expect(delaware.tracts.has(geoid)).toBe(true);
    }
  });
});
