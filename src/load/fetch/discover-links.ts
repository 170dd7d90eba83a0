import type { DownloadIndex } from './manifest.js';

/** A file that an index names. */
export interface DiscoveredLink {
  /** Absolute. */
  readonly url: string;
  /** The last segment of the URL's path. */
  readonly file: string;
  /** The date in the name as one number, such as 20251130; a missing month or day is 0. */
  readonly day: number;
}

/** File names that are allowed on disk: an index determines them, and must not lead out of the folder. */
const PLAIN_NAME = /^\w[\w.-]*$/;

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** The files that an index's text names, oldest first: all of them, or only the newest. Empty if it names none. */
export function discoverLinks(text: string, { url: indexUrl, link, take }: DownloadIndex): DiscoveredLink[] {
  // JSON may escape slashes with a backslash; HTML writes ampersands as entities.
  const plain = text.replaceAll('\\/', '/').replaceAll('&amp;', '&');
  const found = new Map<string, DiscoveredLink>();
  for (const match of plain.matchAll(new RegExp(link, 'g'))) {
    const url = new URL(match[0], indexUrl);
    const file = url.pathname.slice(url.pathname.lastIndexOf('/') + 1);
    if (!PLAIN_NAME.test(file)) continue;
    found.set(url.href, { url: url.href, file, day: dayOf(match.groups ?? {}) });
  }
  const links = [...found.values()].sort((a, b) => a.day - b.day);
  return take === 'newest' ? links.slice(-1) : links;
}

function dayOf({ year = '', month = '', day = '' }: Partial<Record<string, string>>): number {
  const fullYear = Number(year) < 100 ? 2000 + Number(year) : Number(year);
  const named = MONTHS.indexOf(month.slice(0, 3).toLowerCase()) + 1;
  return fullYear * 10_000 + (named || Number(month)) * 100 + Number(day);
}
