import { isJson } from '../files/content-kind.js';
import { type DiscoveredLink, discoverLinks } from './discover-links.js';
import { mirroredUrl, shownUrl } from './expand.js';
import { FetchError } from './fetch-error.js';
import type { FetchFileSetup } from './fetch-file.js';
import { asNetworkError, type HttpAnswer } from './http-client.js';
import type { DownloadIndex } from './manifest.js';
import { retryInLane } from './retry-in-lane.js';

/** Far more than the largest known index, CMS's catalog of everything it publishes, which has some 10 MB. */
const LARGEST_INDEX_BYTES = 128 * 1024 * 1024;

/** Downloads an index and returns the files it names. Throws `FetchError` if it names none. */
export async function readIndex(
  setup: FetchFileSetup,
  index: DownloadIndex,
  mirror: string | undefined,
): Promise<DiscoveredLink[]> {
  const url = mirror === undefined ? index.url : mirroredUrl(index.url, mirror);
  const { host } = new URL(url);
  const text = await retryInLane(setup, {
    name: shownUrl(index.url, mirror),
    host,
    attempt: () => readText(setup, url, host),
    progressBytes: () => 0,
  });
  const links = discoverLinks(text, index);
  if (links.length === 0) throw new FetchError('moved', 'the page no longer lists such a file');
  return links;
}

async function readText({ client, signal }: FetchFileSetup, url: string, host: string): Promise<string> {
  const answer = await client.get({ url, headers: {}, allowedHosts: new Set([host]), signal });
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  try {
    for await (const chunk of answer.body) {
      chunks.push(chunk);
      sizeBytes += chunk.byteLength;
      if (sizeBytes > LARGEST_INDEX_BYTES) break;
    }
  } catch (error) {
    throw asNetworkError(error, signal);
  }
  if (sizeBytes > LARGEST_INDEX_BYTES) throw new FetchError('refused', 'the index page is larger than expected');
  const text = Buffer.concat(chunks).toString('utf8');
  if (!isDelimited(answer) && !hasEnd(text)) {
    throw new FetchError('transient', 'the page came without a length and looks truncated');
  }
  return text;
}

/** Whether the connection would have told that the answer broke off. */
const isDelimited = ({ header }: HttpAnswer): boolean =>
  (header('content-length') ?? header('transfer-encoding')) !== undefined;

/** Whether a page or catalog is there to its end: if it were cut off, files that it still names would be deleted as old. */
function hasEnd(text: string): boolean {
  if (!isJson(text)) return /<\/html\s*>/i.test(text);
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
