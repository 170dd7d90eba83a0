/**
 * Relative to the greater of two numbers: different radii of the Earth, and rounding in the last digit, cause differences of
 * this size.
 */
const RELATIVE_TOLERANCE = 1e-4;
/** One step of the coarsest rounding, that of percentiles, which have one decimal. */
const ABSOLUTE_TOLERANCE = 0.1 + 1e-9;

/** Describes the first place where two answers differ by more than rounding; undefined if they agree. */
export function findDifference(ours: unknown, theirs: unknown, path = ''): string | undefined {
  if (typeof ours === 'number' && typeof theirs === 'number') {
    const tolerance = Math.max(ABSOLUTE_TOLERANCE, RELATIVE_TOLERANCE * Math.max(Math.abs(ours), Math.abs(theirs)));
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
