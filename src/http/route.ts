import type { IncomingHttpHeaders } from 'node:http';
import type { z } from 'zod';
import type { Lease } from '../catalog/leases.js';
import type { KeyIdentity } from '../keys/key-identity.js';
import type { KeyScope } from '../keys/key-record.js';
import type { Client } from '../pool/request.js';
import type { Answer } from './answer.js';
import type { Generation } from './generation.js';
import type { QueryParameters } from './input/query-string.js';
import { validate } from './input/validation.js';

export type Method = 'GET' | 'POST' | 'DELETE';

/** What a request brings, by where it stands. The keys are the first step of an issue's `loc`. */
export interface RawInput {
  readonly query: QueryParameters;
  readonly path: Readonly<Record<string, string | string[]>>;
  /** What the JSON body says; undefined where the route takes none. */
  readonly body?: unknown;
}

/** What a handler may know of a request beside its input. */
export interface RouteContext {
  /** Whose key it is; undefined on public routes. */
  readonly key: KeyIdentity | undefined;
  readonly requestId: string;
  readonly headers: IncomingHttpHeaders;
  /** The generation that all of the answer comes from; undefined where none is live. */
  readonly lease: Lease<Generation> | undefined;
  /** Whoever waits for the answer: all of those who asked the same, where the answer is shared. */
  readonly client: Client;
}

/** What a route is to the service around it. */
interface RouteTraits {
  /** GET answers HEAD too. */
  readonly method: Method;
  /** In the router's notation: `/v1/tracts/:geoid`. Several routes may share one path, each with its own method. */
  readonly path: string;
  /** All that begins with /v1 asks for a key, and counts against the key's limit. */
  readonly access: 'key' | 'public';
  /** What a key must be allowed, where keys are limited; `read` unless told. */
  readonly scope?: KeyScope;
}

/** An endpoint as its file describes it. */
export interface RouteDefinition<Input> extends RouteTraits {
  /**
   * `response`: finished 200s are kept in memory by generation and input, for all keys. Never where the input holds an
   * address.
   */
  readonly cache?: 'none' | 'response';
  /** Whether the answer to this input depends on it and the generation alone, so that both name it. */
  readonly etag?: boolean | ((input: Input) => boolean);
  /** `json`: the body is read and parsed, by body.ts. */
  readonly body?: 'json';
  /**
   * An object of the parts that the handler wants: `query`, `path`, `body`. Parameters that it does not name are
   * ignored.
   */
  readonly input: z.ZodType<Input>;
  /**
   * What the schema makes of the most common valid requests, known at a fraction of its time; undefined leaves all others,
   * and all that is wrong, to the schema.
   */
  readonly accept?: (raw: RawInput) => Input | undefined;
  /** Answers a valid request. Throws `ApiError`. */
  handle(input: Input, context: RouteContext): Answer | Promise<Answer>;
}

/** A request whose input is valid. */
export interface Prepared {
  /** The parsed input, as plain data. */
  readonly input: unknown;
  /** Whether generation and input together name the answer. */
  readonly etag: boolean;
  answer(context: RouteContext): Answer | Promise<Answer>;
}

/** An endpoint whose input's type is its own affair. */
export interface Route extends RouteTraits {
  readonly cache: 'none' | 'response';
  readonly takesBody: boolean;
  /** Checks the input. Throws `ApiError` with every issue where it is not valid. */
  prepare(raw: RawInput): Prepared;
}

export function defineRoute<Input>(definition: RouteDefinition<Input>): Route {
  const { method, path, access, accept, etag = false, handle } = definition;
  return {
    method,
    path,
    access,
    ...(access === 'key' && { scope: definition.scope ?? 'read' }),
    cache: definition.cache ?? 'none',
    takesBody: definition.body === 'json',
    prepare: (raw) => {
      const input = accept?.(raw) ?? validate(definition.input, raw);
      return {
        input,
        etag: typeof etag === 'function' ? etag(input) : etag,
        answer: (context) => handle(input, context),
      };
    },
  };
}
