import type { z } from 'zod';
import { DELIVERIES_ABOUT } from './deliveries.js';
import type { RouteDefinition } from './route.js';

/** The groups that the reference lists endpoints in, and the events that receivers get. */
export const TAGS = {
  tracts: 'One tract: by address, by point, by GEOID.',
  comparisons: 'Tracts beside other tracts, averages, and their own past.',
  places: 'Healthcare providers and tract outlines, for lists and maps.',
  webhooks: 'Subscriptions to changes of the data.',
  deliveries: DELIVERIES_ABOUT,
  reference: 'What the fields mean and what is loaded.',
  system: 'The service itself. No key needed.',
} as const;
export type Tag = keyof typeof TAGS;

/** An answer in an endpoint's own form. */
export interface OwnAnswer {
  readonly status: 200 | 201 | 204 | 503;
  readonly description: string;
  /** Of a JSON body. */
  readonly schema?: z.ZodType;
  /** The media type of the JSON body, where it is not `application/json`. */
  readonly contentType?: string;
  /** The media type in which the answer is, or can be, text. */
  readonly textType?: string;
}

/** A request that the reference shows; it is sent as it stands by tests. */
export interface EndpointExample {
  /** Query as it stands in a URL. */
  readonly query?: string;
  readonly path?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** Errors that an endpoint has beside those that all have, with what it says of each. */
export type OwnErrors = Readonly<Partial<Record<400 | 404 | 502, readonly [string, ...string[]]>>>;

/**
 * An endpoint without what it is made of: how it is called, what it takes and answers. The reference is built from
 * these.
 */
export interface Operation<Input> extends Omit<RouteDefinition<Input>, 'handle'> {
  readonly id: string;
  readonly tag: Tag;
  readonly summary: string;
  readonly description: string;
  readonly success: OwnAnswer;
  /** Other answers in a form of their own. */
  readonly others?: readonly OwnAnswer[];
  readonly errors?: OwnErrors;
  readonly example: EndpointExample;
}

/** Keeps the input's type. */
export function defineOperation<Input>(operation: Operation<Input>): Operation<Input> {
  return operation;
}
