import type { Dictionary } from '../../core/dictionary.js';
import type { Geocoder } from '../../geocode/geocoder.js';
import type { Narrator } from '../../narrative/narrator.js';
import type { DeliveryCounts } from '../../webhooks/delivery-counts.js';
import type { Subscriptions } from '../../webhooks/subscriptions.js';
import type { Reporting } from '../metrics/reporting.js';
import { createNarration } from '../narration.js';
import type { ExampleAnswers } from '../openapi/describe-operation.js';
import { buildDocument } from '../openapi/document.js';
import type { Route } from '../route.js';
import { batchRoute } from './batch.js';
import { compareRoute } from './compare.js';
import { contextRoute } from './context.js';
import { dictionaryRoute } from './dictionary.js';
import { healthRoute } from './health.js';
import { metricsRoute } from './metrics.js';
import { nearbyRoute } from './nearby.js';
import { OPERATIONS } from './operations.js';
import { providersRoute } from './providers.js';
import { providersGeojsonRoute } from './providers-geojson.js';
import { rankingsRoute } from './rankings.js';
import { referenceRoutes } from './reference.js';
import { statsRoute } from './stats.js';
import { tractRoute } from './tract.js';
import { tractsGeojsonRoute } from './tracts-geojson.js';
import { trendsRoute } from './trends.js';
import { webhookRoutes } from './webhooks.js';

/** What the endpoints are made of. */
export interface RouteDeps {
  /** Why no generation is live. */
  readonly absence: () => string;
  readonly geocoder: Geocoder;
  readonly narrator: Narrator;
  readonly subscriptions: Subscriptions;
  /** What all parts count. */
  readonly reporting: Pick<Reporting, 'report' | 'vitalSigns'>;
  /** What became of deliveries, by subscription. */
  readonly deliveries: () => Promise<readonly DeliveryCounts[]>;
  readonly reference: ReferenceContent;
}

/** What the service says of itself. */
export interface ReferenceContent {
  /** What the fields of a record mean. */
  readonly dictionary: Dictionary;
  /** Answers that the reference shows. */
  readonly examples: ExampleAnswers;
  /** Of the service. */
  readonly version: string;
  /** Where clients reach the service, as the texts show it: without a slash at the end. */
  readonly baseUrl: () => string;
  /** The same, where it is configured: else it is where a client has the document from. */
  readonly publicUrl?: string | undefined;
}

/** Every endpoint, the busiest first: the router tries them in turn. */
export function createRoutes(deps: RouteDeps): Route[] {
  const { geocoder, reference } = deps;
  const document = once(() => buildDocument({ operations: OPERATIONS, ...reference }));
  return [
    contextRoute(geocoder, createNarration(deps.narrator)),
    nearbyRoute(),
    // Before the tract by its GEOID, which would take `geojson` for one.
    tractsGeojsonRoute(),
    tractRoute(),
    batchRoute(geocoder),
    compareRoute(),
    rankingsRoute(),
    trendsRoute(),
    providersRoute(),
    providersGeojsonRoute(),
    dictionaryRoute(reference.dictionary),
    statsRoute(),
    ...webhookRoutes(deps.subscriptions),
    healthRoute(deps),
    metricsRoute(deps),
    ...referenceRoutes(document, reference.baseUrl),
  ];
}

/** Makes a thing when it is first asked for: the document takes longer than all the rest of a start. */
function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
