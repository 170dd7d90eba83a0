import type { AgedSource } from '../../core/loaded-source.js';
import { family } from './prometheus.js';
import type { LiveDataset } from './report.js';

const SECONDS_PER_DAY = 86_400;

/** The live dataset's generation and tract count, and the ages of its sources if known, in Prometheus' text format. */
export function datasetPrometheus(dataset: LiveDataset | null): string {
  const tracts = dataset ? [`{generation="${dataset.generation}"} ${dataset.tracts}`] : [];
  return [
    family('dataset_tracts', 'gauge', 'Tracts in the live dataset; no sample if none is live.', tracts),
    sourcesPrometheus(dataset?.sources ?? []),
  ].join('');
}

function sourcesPrometheus(sources: readonly AgedSource[]): string {
  const ages = sources.flatMap(({ source, vintage, ageDays }) =>
    ageDays === null ? [] : [`${labelsOf(source, vintage)} ${ageDays * SECONDS_PER_DAY}`],
  );
  const fetches = sources.flatMap(({ source, vintage, fetched }) =>
    fetched === null ? [] : [`${labelsOf(source, vintage)} ${Date.parse(fetched) / 1000}`],
  );
  return [
    family(
      'source_age_seconds',
      'gauge',
      'Time since the end of a source’s vintage, or since it was fetched if it has none.',
      ages,
    ),
    family('source_fetched_timestamp_seconds', 'gauge', 'Day on which a source was last fetched.', fetches),
  ].join('');
}

/** The values are keys of `datasets/sources.json`, years and days, which need no escaping. */
const labelsOf = (source: string, vintage: string | null): string =>
  `{source="${source}",vintage="${vintage ?? 'latest'}"}`;
