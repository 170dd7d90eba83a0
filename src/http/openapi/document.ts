import type { Dictionary } from '../../core/dictionary.js';
import { TAGS } from '../operation.js';
import type { AnyOperation } from '../routes/operations.js';
import { errorSchema, validationErrorSchema } from '../schemas/system.js';
import { HEADERS_MAX_BYTES, REQUEST_TIMEOUT_MS } from '../server.js';
import { describeDeliveries } from './describe-delivery.js';
import { describeOperation, type ExampleAnswers, openapiPath } from './describe-operation.js';
import type { ApiDocument, OperationObject } from './model.js';
import { createSchemaCollector } from './schema-collector.js';
import { HEADERS, SHARED_ANSWERS } from './shared-answers.js';

export interface DocumentParts {
  readonly operations: readonly AnyOperation[];
  /** Describes the fields of a tract's record. */
  readonly dictionary: Dictionary;
  readonly examples: ExampleAnswers;
  /** Version of the service. */
  readonly version: string;
  /** The address at which clients reach the service; by default the one that they fetched the document from. */
  readonly publicUrl?: string | undefined;
}

const DESCRIPTION = `For any US census tract: who lives there, how vulnerable, how healthy, how exposed.

A tract's record combines demographics (American Community Survey), social vulnerability (CDC/ATSDR SVI), prevalence (CDC \
PLACES), environmental exposure (EPA EJScreen) and a composite index. Tracts are those of 2020.

- A field is always there; what is unknown is \`null\`, never 0.
- Every request below \`/v1\` carries a key in \`X-API-Key\`, and counts against its rate limit: 60 requests in any 60 seconds, \
unless the service’s settings or the key say otherwise.
- Every answer to a known key has \`X-RateLimit-Limit\`, \`X-RateLimit-Remaining\` and \`X-RateLimit-Reset\` (seconds until a place \
becomes free), unless there is no limit; a 429 also has \`Retry-After\`.
- Every answer has \`X-Request-ID\`: the client's own, where it is 1–128 of \`A-Za-z0-9._-\`.
- Errors are \`{error, status_code, detail}\`; \`detail\` is a sentence, for 422 a list of \`{loc, msg, type}\`.
- An unknown path is answered 404, and a method that a path does not have 405, with \`Allow\`: both in this form, and below \
\`/v1\` only to a known key.
- A request whose target and headers exceed ${HEADERS_MAX_BYTES / 1024} KiB is answered 431, one that takes longer than \
${REQUEST_TIMEOUT_MS / 1000} seconds to arrive 408, and one that is not HTTP 400: in this form, and the connection is closed.
- Unknown query parameters are ignored; one that is given twice is a 422.
- HEAD is answered wherever GET is, and OPTIONS on every path; GET answers of data carry an \`ETag\`.
- Figures describe areas, never a person.`;

/** Builds the OpenAPI 3.1 document of the service. O(size of the document), so build it only once. */
export function buildDocument(parts: DocumentParts): ApiDocument {
  const { operations, dictionary, examples, version, publicUrl = '/' } = parts;
  const schemas = createSchemaCollector(dictionary);
  schemas.ofAnswer(errorSchema);
  schemas.ofAnswer(validationErrorSchema);
  const paths: Record<string, Record<string, OperationObject>> = {};
  for (const operation of operations) {
    const path = openapiPath(operation.path);
    paths[path] = {
      ...paths[path],
      [operation.method.toLowerCase()]: describeOperation(operation, schemas, examples),
    };
  }
  const webhooks = describeDeliveries(schemas);
  return {
    openapi: '3.1.0',
    info: {
      title: 'tract-context',
      version,
      summary: 'Health and socioeconomic context of US census tracts',
      description: DESCRIPTION,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: publicUrl, description: 'The service that this document comes from.' }],
    security: [{ ApiKey: [] }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths,
    webhooks,
    components: {
      securitySchemes: {
        ApiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'Issued by the service’s maintainer.' },
      },
      headers: HEADERS,
      responses: SHARED_ANSWERS,
      schemas: schemas.components(),
    },
  };
}
