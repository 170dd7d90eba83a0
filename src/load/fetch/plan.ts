import type { TractVintage } from '../source-id.js';

/** One place that a file can be had from. */
export interface Candidate {
  /** Without any key: as it is shown and recorded. */
  readonly url: string;
  /** As it is asked for, where that differs: with a key, or on one's own mirror. */
  readonly requestUrl: string;
  /** Where the file goes, below the output directory; with `/`. */
  readonly path: string;
  /** Whose copy it is, where it is not the agency's own. */
  readonly mirror: string | undefined;
  /** Hosts, with port, that a redirect may lead to. */
  readonly allowedHosts: ReadonlySet<string>;
}

/** A file that a fetch wants. */
export interface PlannedFile {
  /** What `--sources` calls it. */
  readonly download: string;
  /** Four digits, or `latest`. */
  readonly vintage: string;
  readonly tractVintage: TractVintage | undefined;
  /** In the order in which they are asked; at least one. */
  readonly candidates: readonly [Candidate, ...Candidate[]];
  /** About. */
  readonly sizeBytes: number;
  /** Known beforehand, by file name. */
  readonly sha256: Readonly<Record<string, string>>;
  /** An answer that names the release of another year is not this vintage. */
  readonly releaseYear: number | undefined;
  /** Said where nothing could be had: where people find out more. */
  readonly pages: readonly string[];
  /** What is known of a product that its agency no longer has. */
  readonly takenDown: string | undefined;
}

/** What a fetch is asked for. */
export interface FetchSelection {
  /** Ids of sources or downloads; undefined for all that are not optional. */
  readonly sources: readonly string[] | undefined;
  /** Two-digit FIPS codes, in order. */
  readonly states: readonly string[];
  /** The newest vintage up to this year; undefined for the newest that is known. */
  readonly year: number | undefined;
  /** Of products that are taken in all their vintages, these besides the newest; undefined for all. */
  readonly trendYears: readonly number[] | undefined;
  /** Takes everything from here instead: `<mirror>/<host>/<path>`. */
  readonly mirror: string | undefined;
  readonly censusApiKey: string;
}
