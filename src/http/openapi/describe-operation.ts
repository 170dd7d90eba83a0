import { z } from 'zod';
import { DETAILS } from '../error-details.js';
import { parseQuery } from '../input/query-string.js';
import type { OwnAnswer } from '../operation.js';
import type { AnyOperation } from '../routes/operations.js';
import type { JsonSchema, OperationObject, ParameterObject, Reference, ResponseObject } from './model.js';
import type { SchemaCollector } from './schema-collector.js';
import {
  ENTITY_TAG,
  errorContent,
  GENERATION,
  notModified,
  RATE_LIMIT,
  REQUEST_ID,
  sharedAnswer,
  unavailable,
} from './shared-answers.js';

/** By endpoint id: the body of the answer to the endpoint's example request, if one is recorded. */
export type ExampleAnswers = Readonly<Record<string, unknown>>;

/** Converts `/v1/tracts/:geoid` to OpenAPI's notation, `/v1/tracts/{geoid}`. */
export function openapiPath(path: string): string {
  return path.replace(/:(\w+)/g, '{$1}');
}

/** Describes an endpoint in the form of the document. */
export function describeOperation(
  operation: AnyOperation,
  schemas: SchemaCollector,
  examples: ExampleAnswers,
): OperationObject {
  const { id, tag, summary, description, access, example } = operation;
  const parts = operation.input instanceof z.ZodObject ? operation.input.shape : {};
  const parameters = [
    ...describeParameters('path', parts.path, schemas, example.path ?? {}),
    ...describeParameters('query', parts.query, schemas, parseQuery(`?${example.query ?? ''}`)),
  ];
  return {
    operationId: id,
    tags: [tag],
    summary,
    description,
    ...(access === 'public' && { security: [] as const }),
    ...(parameters.length > 0 && { parameters }),
    ...(parts.body && {
      requestBody: {
        required: true as const,
        content: { 'application/json': { schema: schemas.ofBody(parts.body), example: example.body } },
      },
    }),
    responses: describeAnswers(operation, schemas, examples, {
      takesInput: parameters.length > 0 || Boolean(parts.body),
      takesPath: Boolean(parts.path),
    }),
  };
}

function describeParameters(
  where: 'query' | 'path',
  schema: z.ZodType | undefined,
  schemas: SchemaCollector,
  example: Readonly<Record<string, unknown>>,
): ParameterObject[] {
  if (!schema) return [];
  const { properties = {}, required = [] } = schemas.ofParameters(schema);
  return Object.entries(properties).map(([name, { description, ...rest }]) => ({
    name,
    in: where,
    required: required.includes(name),
    ...(description !== undefined && { description }),
    schema: rest,
    ...(Object.hasOwn(example, name) && { example: readExample(rest, String(example[name])) }),
  }));
}

/** Converts a parameter's example text to the type that the service parses it as. */
function readExample({ type }: JsonSchema, text: string): unknown {
  if (type === 'number' || type === 'integer') return Number(text);
  return type === 'boolean' ? text === 'true' : text;
}

type Answers = Record<string, ResponseObject | Reference>;

function describeAnswers(
  operation: AnyOperation,
  schemas: SchemaCollector,
  examples: ExampleAnswers,
  { takesInput, takesPath }: { readonly takesInput: boolean; readonly takesPath: boolean },
): Answers {
  const { id, access, scope, method, success, others = [], errors = {}, body } = operation;
  const etag = Boolean(operation.etag);
  const needsKey = access === 'key';
  const headers = { ...REQUEST_ID, ...GENERATION, ...(needsKey && RATE_LIMIT) };
  const own = (answer: OwnAnswer, example?: unknown): ResponseObject => ({
    description: answer.description,
    headers: { ...headers, ...(etag && ENTITY_TAG) },
    ...contentOf(answer, schemas, example),
  });
  const wrong = (status: 400 | 404 | 502, description: string, details: readonly string[] = []): Answers =>
    details.length === 0 ? {} : { [status]: { description, headers, content: errorContent(status, details) } };
  const absent = errors[404];
  return {
    [success.status]: own(success, examples[id]),
    ...(etag && method === 'GET' && { 304: needsKey ? sharedAnswer('NotModified') : notModified(headers) }),
    ...wrong(400, errors[400] ? 'The request breaks a rule, or its URL is malformed.' : 'The URL is malformed.', [
      ...(errors[400] ?? []),
      // In a query, a `%` that encodes nothing is taken literally.
      ...(takesPath ? [DETAILS.malformedUrl] : []),
      DETAILS.unencodedUrl,
    ]),
    ...(needsKey && {
      401: sharedAnswer('Unauthorized'),
      403: sharedAnswer(scope === 'webhooks' ? 'ForbiddenWebhooks' : 'Forbidden'),
    }),
    ...(absent && wrong(404, absent.description, absent.details)),
    ...(body && { 413: sharedAnswer('BodyTooLarge') }),
    ...(takesInput && { 422: sharedAnswer('Invalid') }),
    ...(needsKey && { 429: sharedAnswer('RateLimited') }),
    500: sharedAnswer('Unexpected'),
    ...wrong(502, 'An address was given, but no geocoder can be reached.', errors[502]),
    // Subscriptions need no dataset.
    ...(needsKey && scope !== 'webhooks' && { 503: sharedAnswer('Unavailable') }),
    ...(errors[503] && { 503: unavailable(errors[503]) }),
    ...Object.fromEntries(others.map((answer) => [answer.status, own(answer)])),
  };
}

function contentOf(
  { schema, contentType = 'application/json', textType }: OwnAnswer,
  schemas: SchemaCollector,
  example: unknown,
): Pick<ResponseObject, 'content'> {
  if (!schema && !textType) return {};
  return {
    content: {
      ...(schema && {
        [contentType]: { schema: schemas.ofAnswer(schema), ...(example !== undefined && { example }) },
      }),
      ...(textType && { [mediaType(textType)]: { schema: { type: 'string' } } }),
    },
  };
}

/** The content type without its parameters. */
function mediaType(contentType: string): string {
  return contentType.split(';')[0] ?? contentType;
}
