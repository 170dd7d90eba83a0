import type { z } from 'zod';
import { type GeocodedAddress, type GeocodeResult, NO_MATCH } from '../geocoder.js';
import type { Locate } from '../match/position.js';
import type { UpstreamCall } from './caller.js';
import { isRefused } from './upstream-error.js';

/** What an upstream geocoder is asked with. */
export interface UpstreamOptions {
  readonly call: UpstreamCall;
  /** Without the path, which the geocoder appends, and without a slash at its end. */
  readonly baseUrl: string;
  readonly tractAt: Locate;
}

/** A question about one address, which is answered in JSON. */
interface Question<Answer> {
  readonly endpoint: string;
  readonly parameters: Readonly<Record<string, string>>;
  /** The part of the answer that is needed. */
  readonly schema: z.ZodType<Answer>;
  /** The places in an answer that the address may mean, all equally good. */
  readonly candidatesIn: (answer: Answer) => readonly GeocodedAddress[];
}

/**
 * The first candidate, or a tie if they are not all in one tract. No match if there is none, or if the geocoder refuses the
 * address. Throws UpstreamError.
 */
export async function askForOne<Answer>(
  { call, tractAt }: Pick<UpstreamOptions, 'call' | 'tractAt'>,
  { endpoint, parameters, schema, candidatesIn }: Question<Answer>,
): Promise<GeocodeResult> {
  const url = new URL(endpoint);
  url.search = new URLSearchParams(parameters).toString();
  try {
    const answer = await call({ url, accept: 'application/json' }, (body) => parsed(body, schema));
    const [first, ...others] = candidatesIn(answer);
    if (!first) return NO_MATCH;
    const tract = tractAt(first);
    return others.some((other) => tractAt(other) !== tract) ? { noMatch: 'tie' } : first;
  } catch (error) {
    if (isRefused(error)) return NO_MATCH;
    throw error;
  }
}

/** JSON of this shape; undefined for any other text. */
function parsed<T>(text: string, schema: z.ZodType<T>): T | undefined {
  try {
    return schema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
