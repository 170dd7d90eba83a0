import { createConfig, lintFromString } from '@redocly/openapi-core';
import { describe, expect, test } from 'vitest';
import { METRICS } from '../../src/core/metrics.js';
import { walkDeliveries, walkOperations } from '../../src/http/openapi/walk.js';
import { EVENTS } from '../../src/webhooks/subscription.js';
import { shareContract } from '../support/contract.js';
import { createDocumentValidator } from '../support/document-validator.js';

const contract = shareContract();

describe('GET /openapi.json', () => {
  test('is clean by the recommended rules of an independent linter', async () => {
    const config = await createConfig({ extends: ['recommended'] });
    const problems = await lintFromString({ source: JSON.stringify(contract.document), config });
    expect(problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual([]);
  });

  test('is answered without a key, the same each time', async () => {
    const [first, second] = await Promise.all([
      fetch(`${contract.service.url}/openapi.json`),
      fetch(`${contract.service.url}/openapi.json`),
    ]);
    expect(first.status).toBe(200);
    expect(await first.text()).toBe(await second.text());
  });

  test('has every endpoint of the contract', () => {
    const known = walkOperations(contract.document).map(({ method, path }) => `${method.toUpperCase()} ${path}`);
    expect(known.sort()).toEqual(
      [
        'GET /v1/context',
        'POST /v1/batch',
        'GET /v1/nearby',
        'GET /v1/compare',
        'GET /v1/trends',
        'GET /v1/demographics/compare',
        'POST /v1/webhooks',
        'GET /v1/webhooks',
        'GET /v1/webhooks/{id}',
        'DELETE /v1/webhooks/{id}',
        'GET /v1/dictionary',
        'GET /v1/stats',
        'GET /v1/providers',
        'GET /v1/providers/geojson',
        'GET /v1/tracts/geojson',
        'GET /v1/tracts/{geoid}',
        'GET /health',
        'GET /metrics',
        'GET /llms.txt',
        'GET /llms-full.txt',
        'GET /openapi.json',
        'GET /docs',
      ].sort(),
    );
  });

  test('says of parameters what they are read as, with bounds and defaults', () => {
    const parameters = contract.document.paths['/v1/nearby']?.get?.parameters ?? [];
    const schemas = Object.fromEntries(parameters.map(({ name, required, schema }) => [name, { required, ...schema }]));
    expect(schemas).toEqual({
      lat: { required: true, type: 'number', format: 'double', minimum: -90, maximum: 90 },
      lng: { required: true, type: 'number', format: 'double', minimum: -180, maximum: 180 },
      radius: { required: false, type: 'number', format: 'double', exclusiveMinimum: 0, maximum: 50, default: 5 },
      limit: { required: false, type: 'integer', minimum: 1, maximum: 100, default: 25 },
      offset: { required: false, type: 'integer', minimum: 0, maximum: 1_000_000, default: 0 },
    });
  });

  test('names the form of every request’s body, and says which events and how many addresses there may be', () => {
    const { components } = contract.document;
    const bodies = walkOperations(contract.document).flatMap(({ operation: { requestBody } }) =>
      requestBody ? [requestBody.content['application/json']?.schema?.$ref] : [],
    );
    const refs = ['NewBatch', 'NewSubscription'].map((name) => `#/components/schemas/${name}`);
    expect(bodies).toEqual(refs);
    expect(components.schemas.NewBatch?.properties?.addresses).toMatchObject({ minItems: 1, maxItems: 50 });
    expect(components.schemas.NewSubscription?.properties?.events?.items?.enum).toEqual([...EVENTS]);
  });

  test('says which URLs may receive events, as the service does', async () => {
    const { pattern, description } = contract.document.components.schemas.NewSubscription?.properties?.url ?? {};
    expect(description).toContain('over http or https');
    for (const url of ['https://example.org', 'HTTP://Example.org:81/a', 'ftp://example.org', 'https:///example']) {
      const { status } = await contract.post('/v1/webhooks', { url, events: [...EVENTS] });
      expect([url, new RegExp(pattern ?? '').test(url)]).toEqual([url, status === 201]);
    }
  });

  test('gives the status codes for requests that are too large or too slow', () => {
    expect(contract.document.info.description).toContain('exceed 16 KiB get 431');
    expect(contract.document.info.description).toContain(
      'take longer than 15 seconds to arrive, or that take longer than 30 seconds as a whole, 408',
    );
  });

  test('shows for each endpoint the scope that a key may lack', () => {
    for (const { path, operation, answers } of walkOperations(contract.document)) {
      if (operation.security) continue;
      const scope = path.startsWith('/v1/webhooks') ? 'webhooks' : 'read';
      const forbidden = JSON.stringify(answers.find(([status]) => status === '403'));
      expect([path, forbidden.match(/(?<=Key lacks scope )\w+/g)]).toEqual([path, [scope]]);
    }
  });

  test('gives every number 64 bits, as many generated clients have only 32 for one without a format', () => {
    const numbers = (value: unknown): object[] => {
      if (typeof value !== 'object' || value === null) return [];
      return [...('type' in value && value.type === 'number' ? [value] : []), ...Object.values(value).flatMap(numbers)];
    };
    const { paths, webhooks, components } = contract.document;
    const found = numbers([paths, webhooks, components]);
    expect(found.length).toBeGreaterThan(50);
    expect(found.filter((schema) => !('format' in schema) || schema.format !== 'double')).toEqual([]);
  });

  test('gives the status code of each error as an integer', () => {
    const { Error: error, ValidationError: invalid } = contract.document.components.schemas;
    for (const schema of [error, invalid]) expect(schema?.properties?.status_code).toHaveProperty('type', 'integer');
  });

  test('names nothing by what it is called in the program', () => {
    const descriptions = JSON.stringify(contract.document).match(/"(?:description|summary)":"(?:[^"\\]|\\.)*"/g) ?? [];
    expect(descriptions.length).toBeGreaterThan(100);
    expect(descriptions.filter((text) => /[A-Z]{2,}_[A-Z]/.test(text))).toEqual([]);
  });

  test('describes every metric of a tract, with an example', () => {
    const { schemas } = contract.document.components;
    const sections: Readonly<Record<string, string>> = {
      svi_themes: 'SviThemes',
      places_measures: 'PlacesMeasures',
      epa_data: 'EpaData',
    };
    for (const { key, section } of METRICS) {
      const field = schemas[sections[section] ?? 'Tract']?.properties?.[key];
      expect([key, field?.description, field?.examples]).toEqual([
        key,
        expect.stringMatching(/Unit: /),
        [expect.any(Number)],
      ]);
    }
  });

  test('describes every event as its receivers get it, with an example that is valid', () => {
    const { deliveryFindings } = createDocumentValidator(contract.document);
    const deliveries = walkDeliveries(contract.document);
    expect(deliveries.map(({ event }) => event)).toEqual(EVENTS);
    for (const { event, operation, example } of deliveries) {
      const headers = Object.fromEntries(
        (operation.parameters ?? []).map((header) => [header.name.toLowerCase(), header.example]),
      );
      expect(Object.keys(headers).sort()).toEqual([
        'webhook-id',
        'webhook-signature',
        'webhook-timestamp',
        'x-webhook-signature',
      ]);
      expect(deliveryFindings({ event, headers, body: example })).toEqual([]);
      expect(example).toMatchObject({ event });
      expect(Object.keys(operation.responses)).toEqual(['2XX', '5XX', 'default']);
      expect(operation.security).toEqual([]);
    }
  });

  test('would find a delivery of another form', () => {
    const { deliveryFindings } = createDocumentValidator(contract.document);
    const body = { event: 'data.updated', timestamp: 'today', data: { state_fips: '11' } };
    const headers = { 'webhook-id': 'msg_1' };
    expect(deliveryFindings({ event: 'data.updated', headers, body })).toHaveLength(3);
    expect(deliveryFindings({ event: 'data.deleted', headers, body })).toHaveLength(1);
  });

  test('wants a key for /v1, and for nothing else', () => {
    for (const { path, operation } of walkOperations(contract.document)) {
      expect([path, operation.security === undefined]).toEqual([path, path.startsWith('/v1')]);
    }
  });
});
