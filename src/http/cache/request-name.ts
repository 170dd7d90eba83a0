import type { Method } from '../route.js';
import { entityTag } from '../sending/entity-tag.js';

/** Everything that an answer depends on, and a hash of it. */
export interface RequestName {
  readonly generation: string;
  readonly route: NamedRoute;
  /** Plain data. Schemas produce fields in a fixed order, so equal inputs serialize equally. */
  readonly input: unknown;
  /** A 128-bit hash of all this and the program's edition: the answer's entity tag and its key in the cache. */
  readonly tag: string;
}

interface NamedRoute {
  readonly method: Method;
  readonly path: string;
}

/** `edition` identifies the program's build: another build may answer differently from the same dataset. */
export function nameRequest(generation: string, route: NamedRoute, input: unknown, edition: string): RequestName {
  return { generation, route, input, tag: entityTag([edition, generation, route.method, route.path, input]) };
}

/** The input as text, which tells apart inputs of one route whose tags collide. Slower than computing the tag. */
export function spellOut({ input }: RequestName): string {
  return JSON.stringify(input);
}
