import type { z } from 'zod';
import { tractNotFound } from './error-details.js';
import { DELIVERIES_ABOUT } from './event-descriptions.js';
import type { RouteDefinition } from './route.js';

/** The groups into which the reference sorts endpoints and webhook events, each with an introduction. */
export const TAGS = {
  tracts: 'One tract: by address, by point, by GEOID.',
  comparisons: 'Tracts compared with other tracts, with averages, and over time.',
  places: 'Healthcare providers and tract outlines, for lists and maps.',
  webhooks: 'Subscriptions to data changes.',
  deliveries: DELIVERIES_ABOUT,
  reference: 'What the fields mean and what is loaded.',
  system: 'The service itself. No key needed.',
} as const;
export type Tag = keyof typeof TAGS;

/** An answer that is specific to an endpoint, unlike the errors that many share. */
export interface OwnAnswer {
  readonly status: 200 | 201 | 204 | 503;
  readonly description: string;
  /** Schema of a JSON body. */
  readonly schema?: z.ZodType;
  /** Media type of the JSON body, if it is not `application/json`. */
  readonly contentType?: string;
  /** Media type of the answer as text, if text is its form or one of its forms. */
  readonly textType?: string;
}

/** The example request in the reference. Tests send it exactly as it is. */
export interface EndpointExample {
  /** Query string, encoded as in a URL. */
  readonly query?: string;
  readonly path?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** The possible details of an error. */
type Details = readonly [string, ...string[]];

/** The errors that an endpoint has in addition to the shared ones, with the possible details of each. */
export interface OwnErrors {
  readonly 400?: Details;
  /** With what is absent. */
  readonly 404?: { readonly description: string; readonly details: Details };
  readonly 502?: Details;
  readonly 503?: Unavailable;
}

/** What the service lacks when it answers 503. */
export interface Unavailable {
  readonly description: string;
  readonly details: Details;
}

/** The 404 of endpoints that are asked for a tract by its GEOID. */
export const TRACT_ABSENT = {
  description: 'The tract is not in the loaded data.',
  details: [tractNotFound('99999999999')],
} as const satisfies OwnErrors[404];

/**
 * The description of an endpoint without its handler: how it is called, what it takes and what it answers. The reference is
 * built from these.
 */
export interface Operation<Input> extends Omit<RouteDefinition<Input>, 'handle' | 'cacheControl'> {
  readonly id: string;
  readonly tag: Tag;
  readonly summary: string;
  readonly description: string;
  readonly success: OwnAnswer;
  /** Further endpoint-specific answers. */
  readonly others?: readonly OwnAnswer[];
  readonly errors?: OwnErrors;
  readonly example: EndpointExample;
}

/** Lets TypeScript infer the input's type from its schema. */
export function defineOperation<Input>(operation: Operation<Input>): Operation<Input> {
  return operation;
}
