import type { z } from 'zod';
import type { Answer } from './answer.js';
import type { QueryParameters } from './query-string.js';
import { validate } from './validation.js';

/** What a request brings, by where it stands. The keys are the first step of an issue's `loc`. */
export interface RawInput {
  readonly query: QueryParameters;
  readonly path: Readonly<Record<string, string | string[]>>;
}

/** An endpoint as its file describes it. */
export interface RouteDefinition<Input> {
  readonly method: 'GET';
  /** In the router's notation: `/v1/tracts/:geoid`. */
  readonly path: string;
  readonly access: 'key' | 'public';
  /** An object of the parts that the handler wants: `query`, `path`. Parameters that it does not name are ignored. */
  readonly input: z.ZodType<Input>;
  /** Answers a valid request. Throws `ApiError`. */
  handle(input: Input): Answer | Promise<Answer>;
}

/** An endpoint whose input's type is its own affair. */
export interface Route extends Pick<RouteDefinition<unknown>, 'method' | 'path' | 'access'> {
  /** Checks the input and answers. Throws `ApiError`, with every issue where the input is not valid. */
  answer(raw: RawInput): Answer | Promise<Answer>;
}

export function defineRoute<Input>(definition: RouteDefinition<Input>): Route {
  const { method, path, access, input, handle } = definition;
  return { method, path, access, answer: (raw) => handle(validate(input, raw)) };
}
