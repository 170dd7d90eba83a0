import type { Dictionary } from '../../core/dictionary.js';
import { BODY_MAX_BYTES } from '../input/body.js';
import { TAGS } from '../operation.js';
import type { AnyOperation } from '../routes/operations.js';
import { errorSchema, validationErrorSchema } from '../schemas/system.js';
import { HEADERS_MAX_BYTES, HEADERS_TIMEOUT_MS, REQUEST_TIMEOUT_MS } from '../server.js';
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
PLACES), environmental exposure (EPA EJScreen) and a composite index. Tracts are those of 2020. Connecticut's have the GEOIDs \
of the newest list of tracts that is loaded: since 2022, lists name its planning regions (\`09110\` to \`09190\`) instead of its \
former counties (\`09001\` to \`09015\`), by which a tract is not found then.

- Every field is always present; unknown values are \`null\`, never 0. Where their source has no row for the tract, \
\`svi_themes\`, \`places_measures\` and \`epa_data\` are \`null\` as a whole. A value is unknown where its source publishes none \
for the tract, or was not loaded for the state: the \`source\` of its entry in GET /v1/dictionary names the loaded vintages \
with their states, and \`sources\` in GET /metrics says how old they are.
- Figures that this service computes are rounded half away from zero; all others are as their source publishes them.
- Every request below \`/v1\` needs a key in \`X-API-Key\` and counts against the key’s rate limit: 60 requests in any 60 seconds, \
unless the service’s settings or the key set another limit.
- Every answer to a known key has \`X-RateLimit-Limit\`, \`X-RateLimit-Remaining\` and \`X-RateLimit-Reset\` (seconds until the \
oldest of the counted requests no longer counts), unless there is no limit; a 429 and every 503 below \`/v1\` \
also have \`Retry-After\`.
- Every answer has \`X-Request-ID\`: the client's own if it consists of 1–128 characters of \`A-Za-z0-9._-\`, else a new one.
- Errors are \`{error, status_code, detail}\`; \`detail\` is a sentence, for 422 a list of \`{loc, msg, type}\`.
- Unknown paths get 404, and unsupported methods 405 with \`Allow\`, both in this form; below \`/v1\` only with a known key.
- A request that announces a body of more than ${BODY_MAX_BYTES / 1024} KiB gets 413 in this form, also where no body is expected.
- Requests whose target and headers exceed ${HEADERS_MAX_BYTES / 1024} KiB get 431, requests whose target and headers take longer \
than ${HEADERS_TIMEOUT_MS / 1000} seconds to arrive, or that take longer than ${REQUEST_TIMEOUT_MS / 1000} seconds as a whole, 408, \
and requests that are not HTTP 400, all in this form; then the connection is closed.
- Unknown query parameters are ignored; a parameter that is given twice gets 422.
- HEAD works wherever GET does, and OPTIONS on every path; GET answers with data and texts carry an \`ETag\`, except \
subscriptions, /health, /metrics, and those with a narrative or from an external geocoder.
- \`X-Dataset-Generation\` names the dataset that an answer comes from. Where it changes from one page to the next, start with \
the first page again.
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
    servers: [{ url: publicUrl, description: 'The service that serves this document.' }],
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
