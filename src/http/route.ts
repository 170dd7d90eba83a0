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

/** A request's unvalidated input, by its place in the request. The keys are the first step of an issue's `loc`. */
export interface RawInput {
  readonly query: QueryParameters;
  readonly path: Readonly<Record<string, string | string[]>>;
  /** The parsed JSON body; undefined if the route takes none. */
  readonly body?: unknown;
}

/** What a handler may know about a request besides its input. */
export interface RouteContext {
  /** The owner of the request's key; undefined on public routes. */
  readonly key: KeyIdentity | undefined;
  readonly headers: IncomingHttpHeaders;
  /** The generation that the whole answer comes from; undefined if none is live. */
  readonly lease: Lease<Generation> | undefined;
  /** The client that waits for the answer; if identical requests share one answer, it stands for all of their clients. */
  readonly client: Client;
}

/** The properties of a route that routing and access control need. */
interface RouteTraits {
  /** GET answers HEAD too. */
  readonly method: Method;
  /** In the router's notation: `/v1/tracts/:geoid`. Several routes may share one path, each with its own method. */
  readonly path: string;
  /** Every path below /v1 needs a key and counts against the key's rate limit. Public routes get no query parameters. */
  readonly access: 'key' | 'public';
  /** The scope that a key with limited scopes must have; `read` by default. */
  readonly scope?: KeyScope;
}

/** An endpoint as defined in its file. */
export interface RouteDefinition<Input> extends RouteTraits {
  /**
   * `response`: finished 200s are cached in memory by generation and input, and shared by all keys. Must not be used if the
   * input can contain an address.
   */
  readonly cache?: 'none' | 'response';
  /**
   * Whether the answer to an input depends on the input and the generation alone, so that it can have an entity tag; `own` if
   * the handler sends one that stands for the body, and the 304 to it.
   */
  readonly etag?: boolean | 'own' | ((input: Input) => boolean);
  /** Of the 200 that answers an input: a 304 has to repeat it. `private` by default. */
  readonly cacheControl?: (input: Input) => Answer['cacheControl'];
  /** `json`: the body is read and parsed by `readJsonBody`. */
  readonly body?: 'json';
  /**
   * An object schema of the parts that the handler needs: `query`, `path`, `body`. Parameters that it does not name are
   * ignored.
   */
  readonly input: z.ZodType<Input>;
  /**
   * A fast path for the most common valid requests: returns what `input` would, in a fraction of the time. Returns undefined
   * for all other requests, including every invalid one, which are left to `input`.
   */
  readonly accept?: (raw: RawInput) => Input | undefined;
  /** Answers a request with valid input. Throws `ApiError`. */
  handle(input: Input, context: RouteContext): Answer | Promise<Answer>;
}

/** A request whose input has been validated. */
export interface Prepared {
  /** The parsed input, as plain data. */
  readonly input: unknown;
  /** Whether the answer depends on generation and input alone. */
  readonly etag: boolean;
  /** Of a 200. */
  readonly cacheControl: Answer['cacheControl'];
  answer(context: RouteContext): Answer | Promise<Answer>;
}

/** An endpoint whose input type is hidden, so that endpoints with different inputs can be handled alike. */
export interface Route extends RouteTraits {
  readonly cache: 'none' | 'response';
  readonly takesBody: boolean;
  /** Validates the input. Throws an `ApiError` with the issues if it is invalid. */
  prepare(raw: RawInput): Prepared;
}

/** Makes a route of an endpoint's definition: it validates the input, and gives it to no handler but the endpoint's own. */
export function defineRoute<Input>(definition: RouteDefinition<Input>): Route {
  const { method, path, access, accept, etag = false, cacheControl, handle } = definition;
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
        etag: typeof etag === 'function' ? etag(input) : etag === true,
        cacheControl: cacheControl?.(input) ?? 'private',
        answer: (context) => handle(input, context),
      };
    },
  };
}
