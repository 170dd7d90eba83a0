import Flatbush from 'flatbush';
import { describe, expect, it } from 'vitest';
import { buildCountyMap } from '../../../src/load/synthetic/county-map.js';
import { weave } from '../../../src/load/synthetic/weave.js';
import { readTractCounts } from '../../../src/load/tract-counts.js';
import { type DirectedEdge, edgesOfOutline, unmatchedEdges } from './edges.js';

const map = buildCountyMap();
const edges = map.counties.flatMap(({ outline }) => [...edgesOfOutline({ rings: weave(outline, map.seams) })]);
const shared = new Set(edges.map((edge) => edge.join()));

const boxOf = ([ax, ay, bx, by]: DirectedEdge): [number, number, number, number] => [
  Math.min(ax, bx),
  Math.min(ay, by),
  Math.max(ax, bx),
  Math.max(ay, by),
];

/** On which side of the line through a and b a point lies. */
const sideOf = ([ax, ay, bx, by]: DirectedEdge, x: number, y: number): number =>
  Number(BigInt(bx - ax) * BigInt(y - ay) - BigInt(by - ay) * BigInt(x - ax));

/** Whether two edges have a point in common other than an end of both. */
function interfere(a: DirectedEdge, b: DirectedEdge): boolean {
  const [b1, b2] = [sideOf(a, b[0], b[1]), sideOf(a, b[2], b[3])];
  const [a1, a2] = [sideOf(b, a[0], a[1]), sideOf(b, a[2], a[3])];
  if (b1 === 0 && b2 === 0) {
    const [dx, dy] = [a[2] - a[0], a[3] - a[1]];
    const along = (x: number, y: number): number => Math.sign(dx) * x + Math.sign(dy) * y;
    const [low, high] = [along(b[0], b[1]), along(b[2], b[3])].sort((one, other) => one - other);
    return Math.min(along(a[2], a[3]), high ?? 0) > Math.max(along(a[0], a[1]), low ?? 0);
  }
  return (b1 * b2 < 0 && a1 * a2 <= 0) || (a1 * a2 < 0 && b1 * b2 <= 0);
}

describe('the map of counties', () => {
  it('has the counties that the table of tract counts has', () => {
    expect(map.counties.map(({ fips }) => fips)).toEqual([...readTractCounts().keys()].sort());
  });

  it('is planar: each edge has a county on a side at most once, and edges meet at their ends only', () => {
    expect(unmatchedEdges(edges).length).toBeGreaterThan(0);
    const undirected = edges.filter(
      ([ax, ay, bx, by]) => ax < bx || (ax === bx && ay < by) || !shared.has([bx, by, ax, ay].join()),
    );
    const index = new Flatbush(undirected.length);
    for (const edge of undirected) index.add(...boxOf(edge));
    index.finish();
    const problems = undirected.flatMap((edge, position) =>
      index
        .search(...boxOf(edge), (other) => other > position)
        .flatMap((other) => {
          const second = undirected[other];
          return second && interfere(edge, second) ? [`${edge} and ${second}`] : [];
        }),
    );
    expect(problems).toEqual([]);
  });

  it('calls counties what people call them', () => {
    const names = new Map(map.counties.map(({ fips, name }) => [fips, name]));
    expect(
      ['36001', '22071', '02020', '24510', '51036', '32510', '11001', '09110', '02063', '51610'].map((fips) =>
        names.get(fips),
      ),
    ).toEqual([
      'Albany County',
      'Orleans Parish',
      'Anchorage Municipality',
      'Baltimore city',
      'Charles City County',
      'Carson City',
      'District of Columbia',
      'Capitol Planning Region',
      'Chugach Census Area',
      'Falls Church city',
    ]);
  });
});
