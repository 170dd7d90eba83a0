import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { ApiDocument } from '../../src/http/openapi/model.js';
import { walkOperations } from '../../src/http/openapi/walk.js';

/** Checks answers against an OpenAPI document, with a validator that is independent of the service. */
export interface DocumentValidator {
  /** The ways in which an answer deviates from the document; empty if it conforms. */
  findings(answer: DocumentedAnswer): string[];
  /** The ways in which a delivery to a webhook's receiver deviates from the document; empty if it conforms. */
  deliveryFindings(delivery: ReceivedDelivery): string[];
  /** The operation id of the endpoint that a request matches. */
  operationId(method: string, path: string): string | undefined;
}

export interface DocumentedAnswer {
  readonly method: string;
  /** The path without the query. */
  readonly path: string;
  readonly status: number;
  readonly headers: Headers;
  /** The body, parsed if it is JSON. */
  readonly body: unknown;
}

export interface ReceivedDelivery {
  readonly event: string;
  /** Headers by lower-case name. */
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: unknown;
}

/** Rate-limit headers are absent without a limit, and ETag is absent for narratives, which may differ each time. */
const OPTIONAL_HEADERS = /^(?:X-RateLimit-\w+|ETag)$/;
/** A service without a dataset has no generation to name, and a body that is not JSON is refused before there is one. */
const WITHOUT_GENERATION = new Set([422, 503]);
/** What the service sends besides the headers that every HTTP answer may have, in lower case. */
const OWN_HEADERS = /^(?:x-(?:dataset|ratelimit|request)-\w+|etag|retry-after)$/;

const DOCUMENT = 'https://tract-context.test/openapi.json';

export function createDocumentValidator(document: ApiDocument): DocumentValidator {
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, strictRequired: false });
  addFormats.default(ajv);
  // The document's top-level fields are not JSON Schema keywords; unknown keywords within its schemas are still refused.
  ajv.addVocabulary(Object.keys(document));
  ajv.addSchema(document, DOCUMENT);
  const compiled = new Map<string, ValidateFunction>();
  const compile = (pointer: string): ValidateFunction => {
    const known = compiled.get(pointer) ?? ajv.compile({ $ref: `${DOCUMENT}#${pointer}` });
    compiled.set(pointer, known);
    return known;
  };
  const patterns = walkOperations(document).map((walked) => ({
    ...walked,
    pattern: new RegExp(`^${walked.path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}$`),
  }));
  // A path without parameters takes precedence over one with parameters.
  patterns.sort((a, b) => Number(a.path.includes('{')) - Number(b.path.includes('{')));

  const find = (method: string, path: string) =>
    patterns.find((entry) => entry.method === method.toLowerCase() && entry.pattern.test(path));

  return {
    operationId: (method, path) => find(method, path)?.operation.operationId,
    deliveryFindings: ({ event, headers, body }) => {
      const operation = document.webhooks[event]?.post;
      if (!operation) return [`the document has no event ${event}`];
      const base = `/webhooks/${escapePointer(event)}/post`;
      const check = (name: string, pointer: string, value: unknown): string[] => {
        const validate = compile(pointer);
        return validate(value) ? [] : [`${name}: ${ajv.errorsText(validate.errors)}`];
      };
      const headerFindings = (operation.parameters ?? []).flatMap(({ name, required }, at) => {
        const value = headers[name.toLowerCase()];
        if (value === undefined) return required ? [`no header ${name}`] : [];
        return check(name, `${base}/parameters/${at}/schema`, value);
      });
      return [...headerFindings, ...check('body', `${base}/requestBody/content/application~1json/schema`, body)];
    },
    findings: ({ method, path, status, headers, body }) => {
      const found = find(method, path);
      if (!found) return [`${method} ${path} is not in the document`];
      const answer = found.answers.find(([code]) => code === String(status))?.[1];
      if (!answer) return [`${method} ${path} answered ${status}, which the document does not have`];
      const named = Object.keys(answer.headers ?? {});
      const missing = named
        .filter((name) => !headers.has(name) && !OPTIONAL_HEADERS.test(name))
        .filter((name) => name !== 'X-Dataset-Generation' || !WITHOUT_GENERATION.has(status));
      const known = new Set(named.map((name) => name.toLowerCase()));
      const unnamed = [...headers.keys()].filter((name) => OWN_HEADERS.test(name) && !known.has(name));
      const lacks = [
        ...missing.map((name) => `no header ${name}`),
        ...unnamed.map((name) => `a header ${name} that the document does not have`),
      ];
      const type = headers.get('content-type')?.split(';')[0] ?? '';
      if (!answer.content) return [...lacks, ...(body === '' ? [] : ['a body that the document does not have'])];
      if (!answer.content[type]) return [...lacks, `the media type ${type} is not in the document`];
      const base = pointerTo(document, found.path, found.method, String(status));
      const validate = compile(`${base}/content/${escapePointer(type)}/schema`);
      return validate(body) ? lacks : [...lacks, ajv.errorsText(validate.errors)];
    },
  };
}

/** The JSON pointer to an answer: in its endpoint, or among the shared answers. */
function pointerTo(document: ApiDocument, path: string, method: string, status: string): string {
  const answer = document.paths[path]?.[method]?.responses[status];
  if (answer && '$ref' in answer) return answer.$ref.slice(1);
  return `/paths/${escapePointer(path)}/${method}/responses/${status}`;
}

/** Escapes a key for use as a step of a JSON pointer in a URL fragment. */
function escapePointer(key: string): string {
  return encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1'));
}
