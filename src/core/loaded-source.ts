import { counted } from './counted.js';

/** An agency's product, in one vintage, that a dataset was compiled from. */
export interface LoadedSource {
  /** Key of the source in `datasets/sources.json`. */
  readonly source: string;
  /** The last year (`2022`) or day (`2025-11-09`) that it covers; null for a product that the agency replaces in place. */
  readonly vintage: string | null;
  /** The day on which the newest of its files was fetched (`2026-01-02`); null if `fetch` did not download them. */
  readonly fetched: string | null;
}

/** A loaded source and its age. */
export interface AgedSource extends LoadedSource {
  /** Whole days since its vintage ended, or else since it was fetched; null if neither is known. */
  readonly ageDays: number | null;
}

const DAY = /(?<!\d)20\d\d-\d\d-\d\d(?!\d)/;
const YEAR = /(?<!\d)20\d\d(?!\d)/g;
const MS_PER_DAY = 86_400_000;

/** The vintage in a product's name: a day, or else the last year; null if it names neither. */
export function vintageOf(product: string): string | null {
  const [day] = DAY.exec(product) ?? [];
  return day ?? (product.match(YEAR) ?? []).sort().at(-1) ?? null;
}

/** The sources with their ages at `nowMs`. A vintage that has not ended yet is 0 days old. */
export function ageSources(sources: readonly LoadedSource[], nowMs: number): AgedSource[] {
  return sources.map((entry) => ({ ...entry, ageDays: ageOf(entry, nowMs) }));
}

function ageOf({ vintage, fetched }: LoadedSource, nowMs: number): number | null {
  const since = vintage ?? fetched;
  if (since === null) return null;
  const endMs = Date.parse(since.length === 4 ? `${since}-12-31` : since) + MS_PER_DAY;
  return Math.max(0, Math.floor((nowMs - endMs) / MS_PER_DAY));
}

/** `2 years`, `40 days`; a dash if the age is unknown. */
export function ageText(ageDays: number | null): string {
  if (ageDays === null) return '–';
  const years = Math.floor(ageDays / 365.25);
  return years > 0 ? counted(years, 'year') : counted(ageDays, 'day');
}
