/** One directed step along a county's outline, between vertices of the atlas's lattice. */
export interface Step {
  readonly fromX: number;
  readonly fromY: number;
  readonly toX: number;
  readonly toY: number;
}

/** A key that is the same for both directions of an edge. */
export function edgeKey({ fromX, fromY, toX, toY }: Step): string {
  return isForward({ fromX, fromY, toX, toY }) ? `${fromX},${fromY},${toX},${toY}` : `${toX},${toY},${fromX},${fromY}`;
}

/** Whether a step leads to a greater x, or straight to a greater y: of an edge's two directions, one does. */
export function isForward({ fromX, fromY, toX, toY }: Step): boolean {
  return fromX < toX || (fromX === toX && fromY < toY);
}

/**
 * Drops steps that occur in both directions: spikes that simplification left in outlines and, if the steps are of several
 * counties, the borders between them.
 */
export function withoutReturns(steps: readonly Step[]): Step[] {
  const net = new Map<string, number>();
  for (const step of steps) net.set(edgeKey(step), (net.get(edgeKey(step)) ?? 0) + (isForward(step) ? 1 : -1));
  return steps.filter((step) => {
    const key = edgeKey(step);
    const left = net.get(key) ?? 0;
    if (isForward(step) ? left <= 0 : left >= 0) return false;
    net.set(key, 0);
    return true;
  });
}
