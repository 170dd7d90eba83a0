import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ShapePacker, unpackShapes } from '../../../src/load/files/packed-shapes.js';
import type { ShpRecord } from '../../../src/load/files/shp.js';

const ring = fc.int32Array({ minLength: 8, maxLength: 20 });
const shape: fc.Arbitrary<ShpRecord> = fc.oneof(
  fc.record({ rings: fc.array(ring, { minLength: 1, maxLength: 4 }) }),
  fc.record({ problem: fc.constantFrom('a record without a shape', 'an outline without area') }),
);

function unpacked(packer: ShapePacker): (readonly [number, ShpRecord])[] {
  const shapes: (readonly [number, ShpRecord])[] = [];
  // As what comes out of another thread.
  unpackShapes(structuredClone(packer.take()), (record, found) => shapes.push([record, found]));
  return shapes;
}

test('shapes come out as they went in, those with a problem among them, and none comes twice', () => {
  fc.assert(
    fc.property(fc.array(shape), fc.array(shape), (first, second) => {
      const packer = new ShapePacker();
      for (const shapes of [first, second]) {
        const records = shapes.map((found, at) => [at * 3, found] as const);
        for (const [record, found] of records) packer.add(record, found);
        expect(unpacked(packer)).toEqual(records);
      }
    }),
  );
});

test('a packer is full when it holds a mebibyte, and empty when that was taken', () => {
  const packer = new ShapePacker();
  packer.add(0, { rings: [new Int32Array(2 ** 18 - 1)] });
  expect(packer.isFull).toBe(false);
  packer.add(1, { rings: [new Int32Array(8)] });
  expect(packer.isFull).toBe(true);
  packer.take();
  expect(packer.isFull).toBe(false);
});
