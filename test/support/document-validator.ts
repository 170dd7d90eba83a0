import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { ApiDocument } from '../../src/http/openapi/model.js';
import { walkOperations } from '../../src/http/openapi/walk.js';

/** Checks answers against an OpenAPI document, by a validator that knows nothing of the service. */
export interface DocumentValidator {
  /** What is wrong with an answer; empty where it is as the document says. */
  findings(answer: DocumentedAnswer): string[];
  /** What is wrong with a request that a receiver got; empty where it is as the document says. */
  deliveryFindings(delivery: ReceivedDelivery): string[];
  /** The endpoint that a request is meant for. */
  operationId(method: string, path: string): string | undefined;
}

export interface DocumentedAnswer {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly status: number;
  readonly headers: Headers;
  /** Parsed where it is JSON. */
  readonly body: unknown;
}

export interface ReceivedDelivery {
  readonly event: string;
  /** By name in lower case. */
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: unknown;
}

/** Without a limit there are no headers of it; narratives, which may differ each time, have no tag. */
const OPTIONAL_HEADERS = /^(?:X-RateLimit-\w+|ETag)$/;
/** A service without a dataset has none to name. */
const OPTIONAL_WHEN_UNAVAILABLE = 'X-Dataset-Generation';

const DOCUMENT = 'https://tract-context.test/openapi.json';

export function createDocumentValidator(document: ApiDocument): DocumentValidator {
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, strictRequired: false });
  addFormats.default(ajv);
  // The document's own fields are no keywords of JSON Schema; within its schemas, unknown ones are still refused.
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
  // A path without parameters is meant before one with.
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
      const lacks = Object.keys(answer.headers ?? {})
        .filter((name) => !headers.has(name) && !OPTIONAL_HEADERS.test(name))
        .filter((name) => status !== 503 || name !== OPTIONAL_WHEN_UNAVAILABLE)
        .map((name) => `no header ${name}`);
      const type = headers.get('content-type')?.split(';')[0] ?? '';
      if (!answer.content) return [...lacks, ...(body === '' ? [] : ['a body that the document does not have'])];
      if (!answer.content[type]) return [...lacks, `the media type ${type} is not in the document`];
      const base = pointerTo(document, found.path, found.method, String(status));
      const validate = compile(`${base}/content/${escapePointer(type)}/schema`);
      return validate(body) ? lacks : [...lacks, ajv.errorsText(validate.errors)];
    },
  };
}

/** Where an answer stands: in its endpoint, or among the shared ones. */
function pointerTo(document: ApiDocument, path: string, method: string, status: string): string {
  const answer = document.paths[path]?.[method]?.responses[status];
  if (answer && '$ref' in answer) return answer.$ref.slice(1);
  return `/paths/${escapePointer(path)}/${method}/responses/${status}`;
}

/** A key as a step of a JSON pointer in a URL's fragment. */
function escapePointer(key: string): string {
  return encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1'));
}
