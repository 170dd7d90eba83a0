import type { ApiDocument, JsonSchema, ParameterObject } from '../../src/http/openapi/model.js';
import { type WalkedOperation, walkOperations } from '../../src/http/openapi/walk.js';
import { ADDRESS, NO_ADDRESS, TRACT } from './contract-values.js';
import { HOSTILE_BODIES, HOSTILE_TEXTS, MALFORMED_ENCODINGS } from './hostile-values.js';
import type { Random } from './seeded-random.js';

/** A request to send. */
export interface FuzzRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

const METHODS = ['GET', 'GET', 'GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'DELETE', 'PATCH'] as const;
const UNKNOWN_PATHS = [
  '/',
  '/v1',
  '/v1/',
  '/v1/unknown',
  '//v1/context',
  '/V1/context',
  '/v1/tracts/a/b',
  '/v1/..;/x',
] as const;
const ACCEPTED = ['*/*', 'text/plain', 'application/json;q=0', 'br', ';;;q=,', 'text/plain;q=1e9'] as const;
const ENCODINGS = ['br', 'gzip', 'identity;q=0', '*;q=0', 'gzip;q=2, br;q=x', ''] as const;
const BODY_TYPES = [
  'application/json',
  'application/json',
  'application/problem+json',
  'text/plain',
  'a/b;;;',
] as const;

/** Creates a generator of requests to a document's endpoints: well-formed, nearly well-formed and hostile ones. */
export function createFuzzer(document: ApiDocument, random: Random, key: string): () => FuzzRequest {
  const operations = walkOperations(document);
  return () => {
    if (random.chance(0.02))
      return { method: random.pick(METHODS), target: random.pick(UNKNOWN_PATHS), headers: headers() };
    const walked = operations[random.below(operations.length)];
    if (!walked) throw new Error('a document without endpoints');
    const method = random.chance(0.03) ? random.pick(METHODS) : walked.method.toUpperCase();
    const body = walked.operation.requestBody
      ? bodyFor(walked)
      : random.chance(0.01)
        ? random.pick(HOSTILE_BODIES)
        : undefined;
    const bodyHeaders = body === undefined ? {} : { 'Content-Type': random.pick(BODY_TYPES) };
    // GET and HEAD requests may carry bodies too, and some clients send them.
    return {
      method,
      target: targetFor(walked),
      headers: { ...headers(), ...bodyHeaders },
      ...(body !== undefined && { body }),
    };
  };

  function headers(): Record<string, string> {
    return {
      ...(random.chance(0.97) && { 'X-API-Key': random.chance(0.98) ? key : 'wrong' }),
      ...(random.chance(0.1) && { Accept: random.pick(ACCEPTED) }),
      ...(random.chance(0.2) && { 'Accept-Encoding': random.pick(ENCODINGS) }),
      ...(random.chance(0.05) && { 'If-None-Match': random.pick(['*', 'W/"x"', '"', ',,,', 'W/"', '"a", *']) }),
      ...(random.chance(0.05) && { 'X-Request-ID': random.pick(['ok-1', 'a b', 'x'.repeat(200), ';', '%0d']) }),
      ...(random.chance(0.03) && { Origin: random.pick(['null', 'https://x.example', 'x']) }),
    };
  }

  function targetFor({ path, operation }: WalkedOperation): string {
    const { parameters = [] } = operation;
    const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
      const parameter = parameters.find((entry) => entry.name === name);
      return encoded(parameter ? valueFor(parameter) : '') || '-';
    });
    const query = parameters
      .filter((parameter) => parameter.in === 'query')
      .flatMap((parameter) => {
        const times = random.chance(0.85) ? 1 : random.chance(0.7) ? 0 : 2;
        return Array.from({ length: times }, () => `${parameter.name}=${encoded(valueFor(parameter))}`);
      });
    if (random.chance(0.03))
      query.push(random.pick(['__proto__=1', '=x', '&&', 'lat[]=1', 'x', 'constructor[prototype]=1']));
    return query.length > 0 ? `${filled}?${query.join('&')}` : filled;
  }

  function encoded(value: string): string {
    return random.chance(0.01) ? random.pick(MALFORMED_ENCODINGS) : encodeURIComponent(value);
  }

  function valueFor({ schema, example }: ParameterObject): string {
    if (random.chance(0.12)) return random.pick(HOSTILE_TEXTS);
    if (example !== undefined && random.chance(0.3)) return String(example);
    return validValue(schema);
  }

  function validValue({ type, enum: choices, minimum, maximum, exclusiveMinimum, pattern }: JsonSchema): string {
    if (choices) return String(choices[random.below(choices.length)]);
    const least = minimum ?? exclusiveMinimum ?? 0;
    const most = maximum ?? 100;
    if (type === 'integer') return String(least + random.below(Math.min(most - least, 300) + 2));
    if (type === 'number') {
      // Mostly near the demo dataset's tracts; sometimes at the bounds, or just beyond them.
      const inside =
        most === 90
          ? 38.9 + random.next() / 10
          : most === 180
            ? -77.1 + random.next() / 10
            : least + random.next() * most;
      return String(random.pick([inside, inside, inside, least, most, most + 1e-9, -inside]));
    }
    if (type === 'boolean') return random.pick(['true', 'false', '1', 'off']);
    if (pattern) return random.pick([TRACT, TRACT, '11001000101', '99999999999', '11', '44', '1']);
    return random.pick([
      ADDRESS,
      NO_ADDRESS,
      '1600 Pennsylvania Ave NW, Washington, DC',
      '-77.1,38.8,-76.9,39',
      'identity',
      'state',
    ]);
  }

  function bodyFor({ path }: WalkedOperation): string {
    if (random.chance(0.001)) return `"${'x'.repeat(300_000)}"`;
    if (random.chance(0.3)) return random.pick(HOSTILE_BODIES);
    const texts = Array.from({ length: random.below(6) }, () =>
      random.pick([ADDRESS, NO_ADDRESS, random.pick(HOSTILE_TEXTS)]),
    );
    if (path.endsWith('batch')) return JSON.stringify({ addresses: texts });
    return JSON.stringify({
      url: random.pick(['https://example.org/x', 'http://127.0.0.1:1/', random.pick(HOSTILE_TEXTS)]),
      events: random.pick([['data.updated'], ['threshold.exceeded', 'data.updated'], texts]),
      secret: random.pick([undefined, null, 's', random.pick(HOSTILE_TEXTS)]),
      filters: random.pick([
        undefined,
        null,
        {},
        { geoids: texts },
        { thresholds: { poverty_rate: random.next() * 100 } },
      ]),
    });
  }
}
