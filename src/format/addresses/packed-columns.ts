import type { Side } from '../../core/streets/street-line.js';

// Two columns of a shard hold several facts in one number: `range/edge` and `street/direction` of schemas/FORMAT.md.

const MIXED = 1;
const RIGHT = 2;
const EDGE_BITS = 2;

/** What `range/edge` says of a range: its edge, its side of it, and whether odd and even numbers are mixed on it. */
export const packEdge = (edge: number, side: Side, mixed: boolean): number =>
  edge * 2 ** EDGE_BITS + (side === 'right' ? RIGHT : 0) + (mixed ? MIXED : 0);

export const edgeIn = (packed: number): number => packed >>> EDGE_BITS;

export const sideIn = (packed: number): Side => ((packed & RIGHT) === RIGHT ? 'right' : 'left');

export const isMixedIn = (packed: number): boolean => (packed & MIXED) === MIXED;

const AFTER_BITS = 4;
const AFTER = 2 ** AFTER_BITS - 1;

/** What `street/direction` says of a street: the codes of the directions before and after its name. */
export const packDirections = (before: number, after: number): number => before * 2 ** AFTER_BITS + after;

export const directionBeforeIn = (packed: number): number => packed >> AFTER_BITS;

export const directionAfterIn = (packed: number): number => packed & AFTER;
