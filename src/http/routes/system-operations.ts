import { z } from 'zod';
import { HTML_TYPE, TEXT_TYPE } from '../media-types.js';
import { PROMETHEUS_TYPE } from '../metrics/prometheus.js';
import { defineOperation } from '../operation.js';
import { healthSchema, metricsSchema } from '../schemas/system.js';

const shared = { tag: 'system', method: 'GET', access: 'public', input: z.object({}), example: {} } as const;
const text = { ...shared, etag: 'own' } as const;

export const healthOperation = defineOperation({
  ...shared,
  id: 'getHealth',
  path: '/health',
  summary: 'Whether the service can answer',
  description: 'For load balancers and people.',
  success: { status: 200, description: 'A dataset is mapped.', schema: healthSchema },
  others: [{ status: 503, description: 'No dataset is loaded.', schema: healthSchema }],
});

export const metricsOperation = defineOperation({
  ...shared,
  id: 'getMetrics',
  path: '/metrics',
  summary: 'Counters, cache and latencies since the start',
  description: 'JSON, or the Prometheus text format if `Accept` prefers `text/plain`.',
  success: { status: 200, description: 'The figures.', schema: metricsSchema, textType: PROMETHEUS_TYPE },
});

export const llmsOperation = defineOperation({
  ...text,
  id: 'getLlmsText',
  path: '/llms.txt',
  summary: 'An overview for agents',
  description: 'In the form of https://llmstxt.org.',
  success: { status: 200, description: 'Markdown.', textType: TEXT_TYPE },
});

export const llmsFullOperation = defineOperation({
  ...text,
  id: 'getLlmsFullText',
  path: '/llms-full.txt',
  summary: 'The full reference for agents',
  description: 'Every endpoint with parameters, answers and examples.',
  success: { status: 200, description: 'Markdown.', textType: TEXT_TYPE },
});

export const openapiOperation = defineOperation({
  ...text,
  id: 'getOpenapiDocument',
  path: '/openapi.json',
  summary: 'This interface as an OpenAPI 3.1 document',
  description: 'Built from the schemas that check requests.',
  success: { status: 200, description: 'The document.', schema: z.looseObject({ openapi: z.string() }) },
});

export const docsOperation = defineOperation({
  ...text,
  id: 'getReferencePage',
  path: '/docs',
  summary: 'The reference as a page',
  description: 'Uses no scripts and loads nothing from other servers.',
  success: { status: 200, description: 'HTML.', textType: HTML_TYPE },
});
