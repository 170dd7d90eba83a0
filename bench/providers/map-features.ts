import type { LatLng } from '../../src/core/coordinates.js';
import type { ProvidersFile } from '../../src/format/providers-file.js';
import { firstRowsInBox } from '../../src/query/around/rows-in-box.js';
import { startLoadClient } from '../client/load-client.js';
import { sample, streamOf } from '../http/sample.js';
import { startYardstick } from '../http/yardsticks.js';
import { alternate, figure, ratioFigure } from '../lib/rounds.js';
import { startService } from '../lib/service.js';
import { type Figure, type SuiteContext, WrongAnswerError } from '../lib/suite.js';

const LIMIT = 2000;
/** Boxes that are asked for in turn; more of their bodies than the cache holds. */
const BOXES = 400;
/** So many that the cache holds their bodies. */
const CACHED = 20;
const CONNECTIONS = 16;
const ROUNDS = 3;

/** Boxes with 2,000 features over HTTP, against a server that sends a constant body of that size. */
export async function measureMap(
  providers: ProvidersFile,
  context: SuiteContext & { readonly datasetsDir: string },
): Promise<{ checks: string[]; figures: Figure[] }> {
  const paths = fullBoxes(providers).map((box) => `/v1/providers/geojson?bbox=${box}&limit=${LIMIT}`);
  const client = startLoadClient();
  const service = await startService(context);
  try {
    const bodyBytes = await checkedBodyBytes(service.url, service.headers, paths);
    const constant = await startYardstick('node', bodyBytes);
    const asks = streamOf(paths.map((path) => ({ method: 'GET', path })));
    const cached = streamOf(paths.slice(0, CACHED).map((path) => ({ method: 'GET', path })));
    const load = {
      kind: 'closed',
      connections: CONNECTIONS,
      seconds: context.sampleSeconds,
      keepAlive: true,
    } as const;
    const { served, again, bare } = await alternate(
      [
        { name: 'served', run: async () => (await sample(client, service, asks, load)).perSecond },
        { name: 'again', run: async () => (await sample(client, service, cached, load)).perSecond },
        { name: 'bare', run: async () => (await sample(client, constant, asks, load)).perSecond },
      ],
      { rounds: ROUNDS, warmUps: 1 },
    );
    await constant.stop();
    const label = `${LIMIT} features of ${providers.providerCount / 1e6} million`;
    return {
      checks: [`${paths.length} boxes with ${LIMIT} features each, ${bodyBytes} bytes on average`],
      figures: [
        figure(`${label}, all different`, '/s', served),
        figure(`${label}, the same ${CACHED}`, '/s', again),
        figure('node:http, a constant body of that size', '/s', bare),
        ratioFigure(`${label}, all different : constant body`, served, bare, { sign: '≥', bound: 0.5 }),
        ratioFigure(`${label}, the same ${CACHED} : constant body`, again, bare),
      ],
    };
  } finally {
    await client.stop();
    await service.stop();
  }
}

/** Boxes around providers, as small as they can be with enough in them. */
function fullBoxes(providers: ProvidersFile): string[] {
  const { lats, lngs, providerCount } = providers;
  const points = { lats, lngs, trees: providers.trees('all') };
  return Array.from({ length: BOXES }, (_, index) => {
    const row = Math.floor(((index + 0.5) * providerCount) / BOXES);
    const center: LatLng = { lat: lats[row] ?? 0, lng: lngs[row] ?? 0 };
    for (let half = 0.0005; ; half *= 1.2) {
      const [west, east] = [center.lng - half, center.lng + half];
      const [south, north] = [center.lat - half, center.lat + half];
      const found = firstRowsInBox(points, { west, south, east, north }, LIMIT);
      if (found.rows.length === LIMIT) return [west, south, east, north].map((edge) => edge.toFixed(5)).join();
    }
  });
}

/** Throws `WrongAnswerError` where an answer has not the features that it should have. */
async function checkedBodyBytes(
  url: string,
  headers: Readonly<Record<string, string>>,
  paths: readonly string[],
): Promise<number> {
  let bytes = 0;
  for (const path of paths.slice(0, 20)) {
    const response = await fetch(url + path, { headers });
    const text = await response.text();
    const { features } = JSON.parse(text) as { features: unknown[] };
    if (features.length < LIMIT - 20) throw new WrongAnswerError(`${path}: ${features.length} features`);
    bytes += Buffer.byteLength(text);
  }
  return Math.round(bytes / 20);
}
