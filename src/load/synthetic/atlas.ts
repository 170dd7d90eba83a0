import { createRequire } from 'node:module';
import type { GeometryCollection, Topology } from 'topojson-specification';
import { quantize } from '../../core/coordinates.js';
import type { Step } from './county-edges.js';
import { at } from './rings.js';

/** A county or county equivalent as it was in 2017. */
export interface AtlasCounty {
  readonly fips: string;
  /** Without "County": `Albany`. */
  readonly name: string;
  /** The atlas's outline in whole 1e-7 degrees: clockwise, holes counter-clockwise, with some spikes. */
  readonly steps: readonly Step[];
}

type CountyTopology = Topology<{ counties: GeometryCollection<{ name: string }> }>;
type Vertex = readonly [x: number, y: number];

/**
 * The atlas's simplification and rounding made borders cross in four places: where Alameda, Stanislaus and San Joaquin
 * meet, around Franklin city and Petersburg (Virginia), and between Richland and Morehouse (Louisiana). Moving these
 * vertices of the atlas's lattice by a step or two makes the map planar.
 */
const REPAIRS = new Map<string, Vertex>([
  ['16069,60571', [16069, 60572]],
  ['28482,59662', [28482, 59661]],
  ['28480,59642', [28480, 59641]],
  ['28352,60293', [28352, 60294]],
  ['24307,54790', [24306, 54792]],
]);

/**
 * The counties of the 50 states and DC from the npm package us-atlas 3 (Census Bureau cartographic boundaries of 2017 at
 * 1:10 million, public domain). Counties that share a border have the same vertices along it.
 */
export function readAtlas(): AtlasCounty[] {
  const topology: CountyTopology = createRequire(import.meta.url)('us-atlas/counties-10m.json');
  const arcs = decodeArcs(topology);
  const counties: AtlasCounty[] = [];
  for (const geometry of topology.objects.counties.geometries) {
    const fips = String(geometry.id);
    if (Number(fips.slice(0, 2)) >= FIRST_TERRITORY) continue;
    const polygons =
      geometry.type === 'Polygon' ? [geometry.arcs] : geometry.type === 'MultiPolygon' ? geometry.arcs : [];
    const steps = polygons.flat(2).flatMap((arc) => stepsOfArc(arcs, arc));
    const name = geometry.properties && 'name' in geometry.properties ? geometry.properties.name : fips;
    counties.push({ fips, name, steps });
  }
  return counties;
}

const FIRST_TERRITORY = 60;

function decodeArcs({ arcs, transform }: CountyTopology): Vertex[][] {
  const [scaleX, scaleY] = transform?.scale ?? [1, 1];
  const [originX, originY] = transform?.translate ?? [0, 0];
  return arcs.map((deltas) => {
    let [x, y] = [0, 0];
    return deltas.map((delta): Vertex => {
      x += at(delta, 0);
      y += at(delta, 1);
      const [column, row] = REPAIRS.get(`${x},${y}`) ?? [x, y];
      return [quantize(originX + column * scaleX), quantize(originY + row * scaleY)];
    });
  });
}

/** TopoJSON denotes a reversed arc by the one's complement of its index. */
function stepsOfArc(arcs: readonly Vertex[][], arc: number): Step[] {
  const vertices = arc < 0 ? (arcs[~arc] ?? []).toReversed() : (arcs[arc] ?? []);
  const steps: Step[] = [];
  let previous: Vertex | undefined;
  for (const vertex of vertices) {
    const [toX, toY] = vertex;
    if (previous && (previous[0] !== toX || previous[1] !== toY)) {
      steps.push({ fromX: previous[0], fromY: previous[1], toX, toY });
    }
    previous = vertex;
  }
  return steps;
}
