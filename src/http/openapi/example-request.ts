import { shellQuoted } from '../../core/shell-quoted.js';
import type { OperationObject } from './model.js';

/** A request that can be copied and sent. */
export interface ExampleRequest {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  /** JSON. */
  readonly body?: unknown;
  readonly needsKey: boolean;
}

/** Combines the examples of an operation's parameters and body into a request. */
export function exampleRequest(path: string, method: string, operation: OperationObject): ExampleRequest {
  let target = path;
  const query: string[] = [];
  for (const { name, in: where, example } of operation.parameters ?? []) {
    if (example === undefined) continue;
    const value = encodeURIComponent(String(example)).replaceAll('%2C', ',');
    if (where === 'path') target = target.replace(`{${name}}`, value);
    else query.push(`${name}=${value}`);
  }
  const body = operation.requestBody?.content['application/json']?.example;
  return {
    method: method.toUpperCase(),
    target: query.length > 0 ? `${target}?${query.join('&')}` : target,
    ...(body !== undefined && { body }),
    needsKey: operation.security === undefined,
  };
}

/** The request as a curl command line, with the key in `$API_KEY`. */
export function curlLine({ method, target, body, needsKey }: ExampleRequest, baseUrl: string): string {
  return [
    'curl',
    ...(method === 'GET' ? [] : [`-X ${method}`]),
    ...(needsKey ? ['-H "X-API-Key: $API_KEY"'] : []),
    ...(body === undefined ? [] : [`-H 'Content-Type: application/json'`, `-d ${shellQuoted(JSON.stringify(body))}`]),
    shellQuoted(`${baseUrl}${target}`),
  ].join(' ');
}
