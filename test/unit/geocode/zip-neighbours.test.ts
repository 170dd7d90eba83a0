import { expect, onTestFinished, test } from 'vitest';
import { createShardBuilder } from '../../../src/format/addresses/shard-builder.js';
import { isNeighbour } from '../../../src/geocode/match/zip-neighbours.js';
import { openBuilt } from '../../support/street-files.js';

/** Whether two ZIPs, one of them at 45° N, are neighbours: the other lies so many degrees east and north of it. */
function areNeighbours(east: number, north: number): boolean {
  const builder = createShardBuilder('10');
  for (const [zip, lng, lat] of [
    ['19901', -75, 45],
    ['19902', -75 + east, 45 + north],
  ] as const) {
    const [x, y] = [lng, lat].map((degrees) => Math.round(degrees * 1e6)) as [number, number];
    const edge = builder.addEdge(Int32Array.of(x, y, x + 1000, y));
    const range = { street: 'Main St', prefix: '', from: 1, to: 99, mixed: true, side: 'left', tract: 0 } as const;
    builder.addRange({ ...range, zip, edge });
  }
  const { shards } = openBuilt('10', builder);
  const [shard] = shards;
  if (!shard) expect.fail('one file was written');
  onTestFinished(() => shard.container.release());
  return isNeighbour(shard, 19901, 19902);
}

test('ZIPs are neighbours if their centers are at most 30 km apart, of which a degree of longitude has fewer', () => {
  expect([0.26, 0.28].map((north) => areNeighbours(0, north))).toEqual([true, false]);
  expect([-0.37, -0.4, 0.37, 0.4].map((east) => areNeighbours(east, 0))).toEqual([true, false, true, false]);
  expect([0.18, 0.21].map((north) => areNeighbours(0.27, north))).toEqual([true, false]);
});
