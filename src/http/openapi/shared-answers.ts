import type { KeyScope } from '../../keys/key-record.js';
import { DETAILS, exceedsBytes, lacksScope } from '../error-details.js';
import { ERROR_STATUS, errorBody } from '../errors.js';
import { BODY_MAX_BYTES } from '../input/body.js';
import type { Unavailable } from '../operation.js';
import type { MediaTypeObject, Reference, ResponseObject } from './model.js';

/** The document's components for headers and for errors that many endpoints share. */

const header = (description: string, type: 'integer' | 'string', example: unknown) => ({
  description,
  schema: { type },
  example,
});

export const HEADERS = {
  RequestId: header(
    'Identifies this request in the log. The client’s own ID if it sent a valid one.',
    'string',
    'trace-7',
  ),
  Generation: header('The dataset that the whole answer comes from.', 'string', '9050414e779697d267e07d8427bde319'),
  RateLimitLimit: header('Requests that the key may make per window.', 'integer', 60),
  RateLimitRemaining: header('Requests left in the window.', 'integer', 59),
  RateLimitReset: header('Seconds until the oldest of the counted requests no longer counts.', 'integer', 60),
  Challenge: header('How a key is sent: in `X-API-Key`.', 'string', 'ApiKey'),
  RetryAfter: header('Seconds to wait before trying again.', 'integer', 1),
  ETag: header('Identifies this answer; send it back in `If-None-Match`.', 'string', 'W/"3f2a"'),
} as const;

const reference = (name: keyof typeof HEADERS): Reference => ({ $ref: `#/components/headers/${name}` });

export const REQUEST_ID = { 'X-Request-ID': reference('RequestId') };
export const RATE_LIMIT = {
  'X-RateLimit-Limit': reference('RateLimitLimit'),
  'X-RateLimit-Remaining': reference('RateLimitRemaining'),
  'X-RateLimit-Reset': reference('RateLimitReset'),
};
const RETRY_AFTER = { 'Retry-After': reference('RetryAfter') };
export const GENERATION = { 'X-Dataset-Generation': reference('Generation') };
export const ENTITY_TAG = { ETag: reference('ETag') };

/** The content of an error answer, with an example for each of its possible details. */
export function errorContent(status: number, details: readonly string[]): Record<string, MediaTypeObject> {
  const value = (detail: string) => errorBody({ status, detail });
  const schema = { $ref: '#/components/schemas/Error' };
  const [first = '', ...others] = details;
  if (others.length === 0) return { 'application/json': { schema, example: value(first) } };
  const examples = Object.fromEntries(details.map((detail, at) => [`case${at + 1}`, { value: value(detail) }]));
  return { 'application/json': { schema, examples } };
}

const error = (
  status: number,
  description: string,
  detail: string | readonly string[],
  headers: ResponseObject['headers'] = { ...REQUEST_ID, ...RATE_LIMIT },
): ResponseObject => ({ description, headers: headers ?? {}, content: errorContent(status, [detail].flat()) });

const INVALID = errorBody({
  status: ERROR_STATUS.validation,
  detail: [{ loc: ['query', 'lat'], msg: 'Input should be less than or equal to 90', type: 'less_than_equal' }],
});

const forbidden = (scope: KeyScope): ResponseObject =>
  error(
    403,
    `The key is invalid, or lacks the scope \`${scope}\`. Only answers to a known key have rate-limit headers.`,
    [DETAILS.invalidKey, lacksScope(scope)],
  );

/** A 503, by what the service may lack. */
export const unavailable = ({ description, details }: Unavailable): ResponseObject =>
  error(503, description, details, { ...REQUEST_ID, ...RATE_LIMIT, ...RETRY_AFTER });

/** The 304 of an endpoint whose 200 has these headers and a tag. */
export const notModified = (headers: ResponseObject['headers']): ResponseObject => ({
  description: 'The answer given in `If-None-Match` is still current.',
  headers: { ...headers, ...ENTITY_TAG },
});

export const SHARED_ANSWERS = {
  NotModified: notModified({ ...REQUEST_ID, ...GENERATION, ...RATE_LIMIT }),
  Unauthorized: error(401, 'No key was sent.', DETAILS.missingKey, {
    ...REQUEST_ID,
    'WWW-Authenticate': reference('Challenge'),
  }),
  Forbidden: forbidden('read'),
  ForbiddenWebhooks: forbidden('webhooks'),
  BodyTooLarge: error(413, `The body is larger than ${BODY_MAX_BYTES / 1024} KiB.`, exceedsBytes(BODY_MAX_BYTES)),
  Invalid: {
    description: 'Parameters or the body are invalid; the list says what is wrong, and where.',
    // Not where the body is no JSON: it is refused before a dataset is chosen.
    headers: { ...REQUEST_ID, ...GENERATION, ...RATE_LIMIT },
    content: { 'application/json': { schema: { $ref: '#/components/schemas/ValidationError' }, example: INVALID } },
  },
  RateLimited: error(429, 'The key has no requests left in the window. Back off exponentially.', DETAILS.rateLimited, {
    ...REQUEST_ID,
    ...RATE_LIMIT,
    ...RETRY_AFTER,
  }),
  Unexpected: error(500, 'An unexpected error, logged under the request’s ID.', DETAILS.internal),
  Unavailable: unavailable({
    description: 'No dataset is loaded yet, it cannot be read at the moment, or the service is busy.',
    details: [DETAILS.noDataset, DETAILS.unreadableDataset, DETAILS.busy],
  }),
} as const satisfies Record<string, ResponseObject>;

export function sharedAnswer(name: keyof typeof SHARED_ANSWERS): Reference {
  return { $ref: `#/components/responses/${name}` };
}
