import type { Dictionary } from '../../core/dictionary.js';
import type { Geocoder } from '../../geocode/geocoder.js';
import type { Narrator } from '../../narrative/narrator.js';
import type { Subscriptions } from '../../webhooks/subscriptions.js';
import type { Reporting } from '../metrics/reporting.js';
import type { ExampleAnswers } from '../openapi/describe-operation.js';
import { buildDocument } from '../openapi/document.js';
import type { ApiDocument } from '../openapi/model.js';
import type { Route } from '../route.js';
import { batchRoute } from './batch.js';
import { compareRoute } from './compare.js';
import { contextRoute } from './context.js';
import { rankingsRoute } from './demographics-compare.js';
import { dictionaryRoute } from './dictionary.js';
import { type HealthDeps, healthRoute } from './health.js';
import { type MetricsDeps, metricsRoute } from './metrics.js';
import { nearbyRoute } from './nearby.js';
import { OPERATIONS } from './operations.js';
import { providersRoute } from './providers.js';
import { providersGeojsonRoute } from './providers-geojson.js';
import { referenceRoutes } from './reference.js';
import { statsRoute } from './stats.js';
import { tractRoute } from './tract.js';
import { tractsGeojsonRoute } from './tracts-geojson.js';
import { trendsRoute } from './trends.js';
import { webhookRoutes } from './webhooks.js';

/** The dependencies of the endpoints. */
export interface RouteDeps extends HealthDeps, MetricsDeps {
  readonly geocoder: Geocoder;
  readonly narrator: Narrator;
  readonly subscriptions: Subscriptions;
  /** The counts of all parts of the service. */
  readonly reporting: Pick<Reporting, 'report' | 'vitalSigns'>;
  readonly reference: ReferenceContent;
}

/** The content of the service's reference. */
export interface ReferenceContent {
  /** The meanings of a record's fields. */
  readonly dictionary: Dictionary;
  /** The example answers that the reference shows. */
  readonly examples: ExampleAnswers;
  /** Version of the service. */
  readonly version: string;
  /** The address at which clients reach the service, as the texts show it; without a trailing slash. */
  readonly baseUrl: () => string;
  /** The same if it is configured; otherwise the document names the address that it was fetched from. */
  readonly publicUrl?: string | undefined;
}

/** Every endpoint, the busiest first, because the router tries them in order. */
export function createRoutes(deps: RouteDeps): Route[] {
  const { geocoder, reference } = deps;
  let built: ApiDocument | undefined;
  // On first use: it takes longer than the rest of the service's start.
  const document = (): ApiDocument => {
    built ??= buildDocument({ operations: OPERATIONS, ...reference });
    return built;
  };
  return [
    contextRoute(geocoder, deps.narrator),
    nearbyRoute(),
    // Must precede the route of a tract, which would take `geojson` for a GEOID.
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
