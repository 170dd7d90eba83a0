import { describe, expect, it } from 'vitest';
import { rowsOf } from '../../support/layers.js';
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

  it('gives a state the same whichever of its neighbours are made too', () => {
    const withNeighbours = record({ states: new Set(['10', '24', '34', '42']), seed: 1 });
    expect(withNeighbours.tracts.size).toBeGreaterThan(delaware.tracts.size);
    expect(stateOf(withNeighbours, '10')).toEqual(stateOf(delaware, '10'));
  });

  it('gives nothing of states that are not wanted', () => {
    expect([...delaware.tracts.keys()].every((geoid) => geoid.startsWith('10'))).toBe(true);
    expect([...delaware.countyNames.keys()]).toEqual(['10001', '10003', '10005']);
    for (const layer of delaware.layers) {
      for (const geoid of layer.positions.keys()) expect(delaware.tracts.has(geoid)).toBe(true);
    }
  });

  it('tells what it is at', () => {
    const told: string[] = [];
    record({ states: new Set(['10', '11']), seed: 1, onProgress: (text) => told.push(text) });
    expect(told).toEqual(['tracts of state 10', 'tracts of state 11', 'values of 468 tracts']);
  });
});
