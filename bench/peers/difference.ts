/** Relative to the greater of two numbers: different radii of the Earth cause differences of this size. */
const RELATIVE_TOLERANCE = 1e-4;
/** One step of rounding, by the name of what is rounded; all other values are stored as they are shown. */
const STEPS: readonly (readonly [name: RegExp, step: number])[] = [
  [/percentile$/, 0.1],
  [/distance_miles$/, 0.01],
  [/_avg$/, 1e-4],
];

/** Describes the first place where two answers differ by more than rounding; undefined if they agree. */
export function findDifference(ours: unknown, theirs: unknown, path = ''): string | undefined {
  if (typeof ours === 'number' && typeof theirs === 'number') {
    const [, step = 0] = STEPS.find(([name]) => name.test(path)) ?? [];
    const tolerance = Math.max(step * (1 + 1e-9), RELATIVE_TOLERANCE * Math.max(Math.abs(ours), Math.abs(theirs)));
    return Math.abs(ours - theirs) <= tolerance ? undefined : `${path} is ${ours} and ${theirs}`;
  }
  if (!isObject(ours) || !isObject(theirs)) {
    return ours === theirs ? undefined : `${path} is ${JSON.stringify(ours)} and ${JSON.stringify(theirs)}`;
  }
  for (const key of new Set([...Object.keys(ours), ...Object.keys(theirs)])) {
    const difference = findDifference(ours[key], theirs[key], path === '' ? key : `${path}.${key}`);
    if (difference !== undefined) return difference;
  }
  return undefined;
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;
