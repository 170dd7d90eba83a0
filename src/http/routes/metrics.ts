import { toByteText } from '../../core/byte-text.js';
import type { DeliveryCounts } from '../../webhooks/admin/delivery-counts.js';
import { type Answer, momentary } from '../answer.js';
import { parseWeights } from '../input/weights.js';
import { datasetPrometheus } from '../metrics/dataset-prometheus.js';
import { deliveriesPrometheus } from '../metrics/deliveries-prometheus.js';
import { descriptorsPrometheus } from '../metrics/descriptors-prometheus.js';
import { oncePerTurn } from '../metrics/once-per-turn.js';
import { metricsPrometheus, PROMETHEUS_TYPE } from '../metrics/prometheus.js';
import { metricsJson } from '../metrics/report.js';
import type { Reporting } from '../metrics/reporting.js';
import { upkeepPrometheus } from '../metrics/upkeep-prometheus.js';
import { defineRoute, type Route } from '../route.js';
import { metricsOperation } from './system-operations.js';

export interface MetricsDeps {
  readonly reporting: Pick<Reporting, 'report'>;
  /**
   * The outcomes of webhook deliveries, by subscription, which the contract's JSON has no place for. Must be cheap, since
   * /metrics needs no key: it resolves to the same array until the counts are read again.
   */
  readonly deliveries: () => Promise<readonly DeliveryCounts[]>;
}

/** GET /metrics: counters, cache and latencies since the start, as JSON or in Prometheus' text format (SPEC 4.12). */
export function metricsRoute({ reporting, deliveries }: MetricsDeps): Route {
  const deliveriesText = createDeliveriesText();
  const json = oncePerTurn(() => ({
    ...momentary(200, metricsJson(reporting.report())),
    variesBy: 'Accept',
    compressed: new Map(),
  }));
  const text = oncePerTurn(async (): Promise<Answer> => {
    const counted = reporting.report();
    const ofService = [metricsPrometheus(counted), datasetPrometheus(counted.dataset), upkeepPrometheus(counted)];
    const ofProcesses = descriptorsPrometheus(counted.descriptors);
    const body = toByteText([...ofService, ofProcesses, deliveriesText(await deliveries())].join(''));
    const contentType = PROMETHEUS_TYPE;
    return { status: 200, body, contentType, cacheControl: 'no-store', variesBy: 'Accept', compressed: new Map() };
  });
  return defineRoute({
    ...metricsOperation,
    handle: (_input, { headers }) => (prefersText(headers.accept) ? text() : json()),
  });
}

/** Caches the text of the last array of counts. */
function createDeliveriesText(): typeof deliveriesPrometheus {
  let written: { readonly counts: readonly DeliveryCounts[]; readonly text: string } | undefined;
  return (counts) => {
    if (written?.counts !== counts) written = { counts, text: deliveriesPrometheus(counts) };
    return written.text;
  };
}

/**
 * Whether an `Accept` header prefers plain text to JSON. If it weights both equally, the one that it names wins (`text/plain`
 * before a wildcard), else JSON, the contract's form.
 */
function prefersText(accept = '*/*'): boolean {
  const weights = parseWeights(accept);
  const any = weights.get('*/*') ?? 0;
  const named = { text: weights.get('text/plain'), json: weights.get('application/json') };
  const text = named.text ?? weights.get('text/*') ?? any;
  const json = named.json ?? weights.get('application/*') ?? any;
  return text > json || (text === json && text > 0 && named.text !== undefined && named.json === undefined);
}
