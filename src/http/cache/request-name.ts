import type { Method } from '../route.js';
import { entityTag } from '../sending/entity-tag.js';

/** What an answer depends on. */
export interface RequestName {
  readonly generation: string;
  readonly route: NamedRoute;
  /** Plain data. Schemas give their fields in one order, so that the same input is the same data. */
  readonly input: unknown;
  /** Names all of it by 128 bits: the answer's entity tag, and what it is looked up by. */
  readonly tag: string;
}

interface NamedRoute {
  readonly method: Method;
  readonly path: string;
}

/** `edition` names the program that answers: another one may answer otherwise from the same dataset. */
export function nameRequest(generation: string, route: NamedRoute, input: unknown, edition: string): RequestName {
  return { generation, route, input, tag: entityTag([edition, generation, route.method, route.path, input]) };
}

/** Tells inputs of one route apart whose tags collide. It takes longer than the tag. */
export function spellOut({ input }: RequestName): string {
  return JSON.stringify(input);
}
