import { afterAll, beforeAll, expect, inject } from 'vitest';
import type { ApiDocument } from '../../src/http/openapi/model.js';
import { OPERATIONS } from '../../src/http/routes/operations.js';
import { demoDataset } from './demo-dataset.js';
import { createDocumentValidator, type DocumentValidator } from './document-validator.js';
import { callsTo, type ServiceCalls, type ServiceProcess, startService, TEST_KEY } from './service-process.js';

/** An answer, with its body parsed if it is JSON. */
export interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

export interface Contract<Service extends ServiceCalls = ServiceProcess> {
  readonly service: Service;
  readonly document: ApiDocument;
  /**
   * Sends a request, with the test's key unless `headers` are given, and checks the answer against the response schema and
   * the OpenAPI document.
   */
  call(target: string, init?: RequestInit): Promise<Answered>;
  /** Posts JSON with the test's key. */
  post(target: string, body: unknown): Promise<Answered>;
}

/** Runs a service of its own on the demo dataset for all tests of a file. */
export function startContract(env: Record<string, string> = {}): Contract {
  let service: ServiceProcess | undefined;
  const contract = contractOf(async () => {
    service = await startService(await demoDataset(), env);
    return service;
  });
  afterAll(async () => {
    service?.signal('SIGTERM');
    await service?.exited;
  });
  return contract;
}

/**
 * The contract of a service on the demo dataset that other files ask at the same time: for tests that neither count
 * anything, nor depend on which subscriptions there are.
 */
export function shareContract(): Contract<ServiceCalls> {
  return contractOf(async () => {
    const answer = await fetch(inject('serviceDesk'), { method: 'POST', body: await demoDataset() });
    const told = await answer.text();
    if (!answer.ok) throw new Error(told);
    return callsTo(told);
  });
}

function contractOf<Service extends ServiceCalls>(open: () => Promise<Service>): Contract<Service> {
  let service: Service | undefined;
  let document: ApiDocument | undefined;
  let validator: DocumentValidator | undefined;
  beforeAll(async () => {
    service = await open();
    document = await readDocument(service);
    validator = validatorOf(document);
  });
  const call: Contract['call'] = async (target, init = {}) => {
    const answered = await fetchAnswer(required(service), target, init);
    const { pathname } = new URL(target, 'http://x');
    checkAnswer(required(validator), init.method ?? 'GET', pathname, answered);
    return answered;
  };
  return {
    get service() {
      return required(service);
    },
    get document() {
      return required(document);
    },
    call,
    post: (target, body) =>
      call(target, {
        method: 'POST',
        headers: { 'X-API-Key': TEST_KEY, 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      }),
  };
}

/** By the document's text: to compile its schemas again for each file takes longer than many a file's tests. */
const validators = new Map<string, DocumentValidator>();

function validatorOf(document: ApiDocument): DocumentValidator {
  const text = JSON.stringify(document);
  const known = validators.get(text) ?? createDocumentValidator(document);
  validators.set(text, known);
  return known;
}

/** The OpenAPI document, whose form is assumed here and tested by the contract tests. */
async function readDocument(service: ServiceCalls): Promise<ApiDocument> {
  const response = await service.fetch('/openapi.json');
  return (await response.json()) as ApiDocument;
}

/** The `status` and `body` of an error as the contract defines it. */
export function failure(status: number, detail: unknown) {
  return { status, body: { error: true, status_code: status, detail } };
}

/** A 422 error with one issue and any message. */
export function invalid(loc: readonly (string | number)[], type: string) {
  return failure(422, [{ loc, msg: expect.any(String), type }]);
}

async function fetchAnswer(service: ServiceCalls, target: string, init: RequestInit): Promise<Answered> {
  const response = await service.fetch(target, init);
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json') && text !== '';
  return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
}

function checkAnswer(validator: DocumentValidator, method: string, path: string, answered: Answered): void {
  const { status, headers, body } = answered;
  expect(validator.findings({ method, path, status, headers, body })).toEqual([]);
  if (status >= 300 || !headers.get('content-type')?.includes('json')) return;
  const operation = OPERATIONS.find(({ id }) => id === validator.operationId(method, path));
  const parsed = operation?.success.schema?.safeParse(body);
  expect(parsed?.error?.issues ?? []).toEqual([]);
}

function required<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('the service has not been started');
  return value;
}
