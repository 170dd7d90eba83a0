import { groupBy } from '../../core/group-by.js';
import { obtain } from '../../core/obtain.js';
import { type AtlasCounty, readAtlas } from './atlas.js';
import { edgeKey, isForward, type Step, withoutReturns } from './county-edges.js';
import { countyName } from './county-names.js';
import { addVertex, emptyRings, type Rings } from './rings.js';
import { createSeams, type Seams } from './seams.js';
import { splitRings } from './split.js';
import { type Partition, SUCCESSIONS } from './successors.js';

/** A county of 2020 (Connecticut: planning region of 2022) with its outline. */
export interface County {
  readonly fips: string;
  /** The full common name: `Albany County`. */
  readonly name: string;
  readonly outline: Rings;
}

/** The map that tracts are cut from. */
export interface CountyMap {
  /** By FIPS code, ascending. */
  readonly counties: readonly County[];
  /** The lines that counties share, and those added by cutting counties. */
  readonly seams: Seams;
}

/** Builds all counties of the 50 states and DC, whichever are wanted, so that the choice of states moves no vertex. */
export function buildCountyMap(): CountyMap {
  const seams = createSeams();
  const outlineOf = createOutliner(seams);
  const atlas = new Map(readAtlas().map((county) => [county.fips, county]));
  const counties: County[] = [];
  for (const { predecessors, partition } of SUCCESSIONS) {
    const steps = predecessors.flatMap((fips) => atlas.get(fips)?.steps ?? []);
    for (const fips of predecessors) atlas.delete(fips);
    counties.push(...divide(outlineOf(steps), partition, seams));
  }
  for (const county of atlas.values()) counties.push(keep(county, outlineOf));
  counties.sort((a, b) => (a.fips < b.fips ? -1 : 1));
  return { counties, seams };
}

type Outliner = (steps: readonly Step[]) => Rings;

const keep = ({ fips, name, steps }: AtlasCounty, outlineOf: Outliner): County => ({
  fips,
  name: countyName(fips, name),
  outline: outlineOf(steps),
});

function divide(outline: Rings, partition: Partition, seams: Seams): County[] {
  if ('fips' in partition) return [{ ...partition, outline }];
  const { axis, where, low, high } = partition;
  const [below, above] = splitRings(outline, { axis, where, seam: seams.add() }, seams);
  return [...divide(below, low, seams), ...divide(above, high, seams)];
}

/** Joins the steps of an outline into rings; counties that share an edge get the same seam for it. */
function createOutliner(seams: Seams): Outliner {
  const seamOfEdge = new Map<string, number>();
  const seamOf = (step: Step): number => {
    const { fromX, fromY, toX, toY } = step;
    return obtain(seamOfEdge, edgeKey(step), () => {
      const edge = { ax: fromX, ay: fromY, bx: toX, by: toY };
      return seams.add(isForward(step) ? edge : { ax: toX, ay: toY, bx: fromX, by: fromY });
    });
  };
  return (steps) => joinSteps(withoutReturns(steps), seamOf);
}

const positionKey = (x: number, y: number): string => `${x},${y}`;

/** Every vertex has as many incoming as outgoing steps, so a walk can only end where it began. */
function joinSteps(steps: readonly Step[], seamOf: (step: Step) => number): Rings {
  const leaving = groupBy(steps, ({ fromX, fromY }) => positionKey(fromX, fromY));
  const rings = emptyRings();
  for (const { fromX, fromY } of steps) {
    let step = leaving.get(positionKey(fromX, fromY))?.pop();
    if (step) rings.starts.push(rings.xs.length);
    while (step) {
      addVertex(rings, step.fromX, step.fromY, seamOf(step));
      step = leaving.get(positionKey(step.toX, step.toY))?.pop();
    }
  }
  return rings;
}
