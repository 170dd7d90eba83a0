import { refName } from './describe-schema.js';
import type { ApiDocument, JsonSchema, OperationObject, Reference, ResponseObject } from './model.js';

/** An endpoint of the document with its path and method. */
export interface WalkedOperation {
  readonly path: string;
  readonly method: string;
  readonly operation: OperationObject;
  /** The form of the request's body, if it has one. */
  readonly body?: JsonSchema;
  /** Ascending by status. */
  readonly answers: readonly (readonly [status: string, answer: ResponseObject])[];
}

/** The document's endpoints, in the document's order. */
export function walkOperations(document: ApiDocument): WalkedOperation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const { schema } = bodyOf(document, operation);
      return { path, method, operation, ...(schema && { body: schema }), answers: answersOf(document, operation) };
    }),
  );
}

/** A webhook event of the document, as its receivers get it. */
export interface WalkedDelivery {
  readonly event: string;
  readonly operation: OperationObject;
  /** The headers of the example, a line each. */
  readonly headers: readonly string[];
  /** The component name of the body's schema. */
  readonly object: string;
  readonly schema: JsonSchema;
  readonly example: unknown;
  /** The possible answers of receivers, by status. */
  readonly answers: readonly (readonly [status: string, answer: ResponseObject])[];
}

/** The document's webhook events, in the document's order. */
export function walkDeliveries(document: ApiDocument): WalkedDelivery[] {
  return Object.entries(document.webhooks).map(([event, { post: operation }]) => {
    const { object, schema = {}, example } = bodyOf(document, operation);
    const headers = (operation.parameters ?? []).map((header) => `${header.name}: ${header.example}`);
    return { event, operation, headers, object, schema, example, answers: answersOf(document, operation) };
  });
}

/** The endpoints and events of one tag, under which the reference shows them. */
export interface Group {
  readonly tag: string;
  /** The tag with its first letter capitalized, as a heading. */
  readonly title: string;
  readonly about: string;
  readonly operations: readonly WalkedOperation[];
  readonly deliveries: readonly WalkedDelivery[];
}

/** The document's endpoints and events by tag, in the document's order. */
export function walkGroups(document: ApiDocument): Group[] {
  const operations = walkOperations(document);
  const deliveries = walkDeliveries(document);
  return document.tags.map(({ name: tag, description: about }) => ({
    tag,
    title: `${tag.charAt(0).toUpperCase()}${tag.slice(1)}`,
    about,
    operations: operations.filter(({ operation }) => operation.tags.includes(tag)),
    deliveries: deliveries.filter(({ operation }) => operation.tags.includes(tag)),
  }));
}

/** A request's body: the name of its schema, if that is a component, the schema itself and an example. */
function bodyOf({ components }: ApiDocument, { requestBody }: OperationObject) {
  const { schema, example } = requestBody?.content['application/json'] ?? {};
  const object = refName(schema?.$ref ?? '');
  return { object, schema: components.schemas[object] ?? schema, example };
}

function answersOf(document: ApiDocument, { responses }: OperationObject) {
  return Object.entries(responses).map(([status, answer]) => [status, resolveAnswer(document, answer)] as const);
}

/** Resolves an answer that may be a reference to one of the document's components. */
function resolveAnswer({ components }: ApiDocument, answer: ResponseObject | Reference): ResponseObject {
  if (!('$ref' in answer)) return answer;
  const found = components.responses[refName(answer.$ref)];
  if (!found) throw new Error(`the document has no answer ${answer.$ref}`);
  return found;
}

/** The example of a successful answer: its status, and its body if one is recorded. */
export function exampleAnswer({ answers }: WalkedOperation): { readonly status: string; readonly body?: unknown } {
  const [status, answer] = answers.find(([code]) => code.startsWith('2')) ?? [];
  if (status === undefined) throw new Error('an endpoint without a good answer');
  const body = Object.values(answer?.content ?? {}).find(({ example }) => example !== undefined)?.example;
  return body === undefined ? { status } : { status, body };
}
