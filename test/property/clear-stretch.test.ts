import fc from 'fast-check';
import { expect, test } from 'vitest';
import { clearStretch } from '../../src/load/synthetic/clear-stretch.js';

/** A star around the origin as a closed ring: as concave as its radii make it. */
function star(radii: readonly number[]): Int32Array {
  const corners = radii.map((radius, index) => {
    const angle = (2 * Math.PI * index) / radii.length;
    return [Math.round(radius * Math.cos(angle)), Math.round(radius * Math.sin(angle))] as const;
  });
  return Int32Array.from([...corners, ...corners.slice(0, 1)].flat());
}

/** The even-odd rule, edge by edge. */
function isInside(rings: readonly Int32Array[], x: number, y: number): boolean {
  let inside = false;
  for (const ring of rings) {
    for (let i = 0; i + 3 < ring.length; i += 2) {
      const [ax = 0, ay = 0, bx = 0, by = 0] = ring.subarray(i, i + 4);
      if (ay > y !== by > y && x < ax + ((bx - ax) * (y - ay)) / (by - ay)) inside = !inside;
    }
  }
  return inside;
}

const shape = fc.record({
  outer: fc.array(fc.integer({ min: 2000, max: 10_000 }), { minLength: 4, maxLength: 30 }),
  hole: fc.array(fc.integer({ min: 200, max: 1200 }), { minLength: 3, maxLength: 8 }),
  axis: fc.constantFrom('x' as const, 'y' as const),
  where: fc.integer({ min: -9000, max: 9000 }),
  margin: fc.integer({ min: 1, max: 400 }),
});

test('all of a clear stretch is inside, as far as the margin on both of its sides', () => {
  let found = 0;
  const property = fc.property(shape, ({ outer, hole, axis, where, margin }) => {
    const rings = [star(outer), star(hole)];
    const stretch = clearStretch(rings, axis, where, margin);
    if (!stretch) return;
    found++;
    for (let step = 1; step < 40; step++) {
      const along = stretch.from + ((stretch.to - stretch.from) * step) / 40;
      for (const across of [-0.99, -0.5, 0, 0.5, 0.99]) {
        const [x, y] = axis === 'x' ? [along, where + across * margin] : [where + across * margin, along];
        expect(isInside(rings, x, y)).toBe(true);
      }
    }
  });
  fc.assert(property, { numRuns: 200 });
  expect(found).toBeGreaterThan(40);
});
