import { describe, expect, it } from 'vitest';
import { pathInLap } from '../../../bench/client/laps.js';
import { coldAsks, coldName, hotAsks, mixedAsks } from '../../../bench/http/asks.js';
import { CONTEXT, ENDPOINTS, NEARBY, TRACT } from '../../../bench/http/endpoints.js';
import { streamOf } from '../../../bench/http/sample.js';

const world = {
  places: [
    { lat: 40, lng: -80, geoid: '42003000100' },
    { lat: 41, lng: -81, geoid: '39035000200' },
  ],
  addresses: [{ text: '1 Main St, Anytown, OH 44101', geoid: '39035000200' }],
};
const plain = (asks: readonly { readonly path: string }[]): string[] => asks.map(({ path }) => path);

describe('the requests', () => {
  it.each([CONTEXT, NEARBY])('to $name are nearly all different, and the same in every run', (endpoint) => {
    const asks = plain(coldAsks(endpoint, world, 1));
    expect(new Set(asks).size).toBeGreaterThan(asks.length * 0.99);
    expect(plain(coldAsks(endpoint, world, 1))).toEqual(asks);
    expect(plain(coldAsks(endpoint, world, 2))).not.toEqual(asks);
  });

  it.each(ENDPOINTS.filter(({ name }) => /nearby|point|miles|geojson/.test(name)))(
    'to $name about a point differ in every lap, and stay near the same places',
    (endpoint) => {
      const [ask = expect.fail()] = coldAsks(endpoint, world, 1);
      const laps = Array.from({ length: 1000 }, (_, lap) => pathInLap(ask, lap));
      expect(laps[0]).toBe(ask.path);
      expect(new Set(laps).size).toBe(1000);
      const numbers = laps.map((path) => [...path.matchAll(/-?\d+\.\d+/g)].map(Number));
      for (const [at, number] of (numbers[0] ?? []).entries()) {
        const shifts = numbers.map((inLap) => Math.abs((inLap[at] ?? Number.NaN) - number));
        expect(Math.max(...shifts)).toBeLessThan(1e-5);
      }
    },
  );

  it('that are to be repeated are the same in every lap', () => {
    const [ask = expect.fail()] = hotAsks(NEARBY, world, 1);
    expect(pathInLap(ask, 1)).toBe(ask.path);
  });

  it('to every endpoint have a known part of the answer, unless their answers vary', () => {
    for (const endpoint of ENDPOINTS) {
      const [ask] = hotAsks(endpoint, world, 1);
      expect(Object.keys(ask?.expected() ?? {}), endpoint.name).not.toHaveLength(0);
    }
  });

  it('are only called all different if they are too many for a cache', () => {
    const places = Array.from({ length: 30_000 }, (_, at) => ({ lat: 40, lng: -80, geoid: String(42003000000 + at) }));
    expect(coldName(coldAsks(TRACT, { ...world, places }, 1))).toBe('all different');
    expect(coldName(coldAsks(TRACT, world, 1))).toBe('2 in turn');
    expect(coldName(coldAsks(CONTEXT, world, 1))).toBe('all different');
  });

  it('of the mix go to several endpoints', () => {
    const kinds = new Set(plain(mixedAsks(world, 1)).map((path) => path.split('?')[0]?.replace(/\d{11}$/, '')));
    expect(kinds.size).toBeGreaterThan(5);
  });
});

describe('a stream of requests', () => {
  it('continues where it stopped, lap after lap', () => {
    const stream = streamOf(['/a', '/b', '/c'].map((path) => ({ method: 'GET' as const, path })));
    expect([stream.advance(2), stream.advance(2), stream.advance(0)]).toEqual([0, 2, 4]);
  });
});
