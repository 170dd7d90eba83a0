import type { Operation } from '../operation.js';
import { batchOperation } from './batch.js';
import { compareOperation } from './compare.js';
import { contextOperation } from './context.js';
import { rankingsOperation } from './demographics-compare.js';
import { dictionaryOperation } from './dictionary.js';
import { nearbyOperation } from './nearby.js';
import { providersOperation } from './providers.js';
import { providersGeojsonOperation } from './providers-geojson.js';
import { statsOperation } from './stats.js';
import {
  docsOperation,
  healthOperation,
  llmsFullOperation,
  llmsOperation,
  metricsOperation,
  openapiOperation,
} from './system-operations.js';
import { tractOperation } from './tract.js';
import { tractsGeojsonOperation } from './tracts-geojson.js';
import { trendsOperation } from './trends.js';
import {
  createWebhookOperation,
  deleteWebhookOperation,
  getWebhookOperation,
  listWebhooksOperation,
} from './webhooks.js';

/** An operation whose input type does not matter, only its description. */
export type AnyOperation = Omit<Operation<unknown>, 'etag'> & { readonly etag?: unknown };

/** Every endpoint, in the order of the reference. */
export const OPERATIONS: readonly AnyOperation[] = [
  contextOperation,
  batchOperation,
  nearbyOperation,
  tractOperation,
  compareOperation,
  trendsOperation,
  rankingsOperation,
  providersOperation,
  providersGeojsonOperation,
  tractsGeojsonOperation,
  createWebhookOperation,
  listWebhooksOperation,
  getWebhookOperation,
  deleteWebhookOperation,
  dictionaryOperation,
  statsOperation,
  healthOperation,
  metricsOperation,
  llmsOperation,
  llmsFullOperation,
  openapiOperation,
  docsOperation,
];
