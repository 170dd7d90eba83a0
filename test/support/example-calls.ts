import { exampleRequest } from '../../src/http/openapi/example-request.js';
import type { ApiDocument } from '../../src/http/openapi/model.js';
import { exampleAnswer, type WalkedOperation, walkOperations } from '../../src/http/openapi/walk.js';

/** The service to call, and the key to call it with. */
export interface Caller {
  readonly url: string;
  readonly key: string;
}

/** The answer to one call, beside the documented one. */
export interface CallResult {
  readonly id: string;
  readonly walked: WalkedOperation;
  readonly status: number;
  readonly contentType: string | null;
  readonly body: unknown;
  /** The example answer in the document. */
  readonly documented: { readonly status: string; readonly body?: unknown };
}

/** Sends every endpoint's example in the document's order, so that later calls find what earlier ones have created. */
export async function callEveryExample(document: ApiDocument, caller: Caller): Promise<CallResult[]> {
  const results: CallResult[] = [];
  for (const walked of walkOperations(document)) {
    const { method, target, body, needsKey } = exampleRequest(walked.path, walked.method, walked.operation);
    const response = await fetch(`${caller.url}${target}`, {
      method,
      headers: {
        ...(needsKey && { 'X-API-Key': caller.key }),
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const contentType = response.headers.get('content-type');
    const text = await response.text();
    results.push({
      id: walked.operation.operationId,
      walked,
      status: response.status,
      contentType,
      body: contentType?.includes('json') ? JSON.parse(text) : text,
      documented: exampleAnswer(walked),
    });
  }
  return results;
}
