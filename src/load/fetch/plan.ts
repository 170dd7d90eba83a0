import type { TractVintage } from '../source-id.js';

/** One address that a file can be fetched from. */
export interface Candidate {
  /** The URL that is requested, on the user's own mirror if there is one, but without a key: for display and records. */
  readonly url: string;
  /** The URL that is requested, with the key, if any. */
  readonly requestUrl: string;
  /** The file's path below the output directory, with `/` as separator. */
  readonly path: string;
  /** Who publishes this copy; undefined for the agency's own file. */
  readonly mirror: string | undefined;
  /** Hosts, with port, that a redirect may lead to. */
  readonly allowedHosts: ReadonlySet<string>;
}

/** A file to be fetched. */
export interface PlannedFile {
  /** The download's id, as in `--sources`. */
  readonly download: string;
  /** Four digits, or `latest`. */
  readonly vintage: string;
  readonly tractVintage: TractVintage | undefined;
  /** At least one, in the order in which they are tried. */
  readonly candidates: readonly [Candidate, ...Candidate[]];
  /** An estimate. */
  readonly sizeBytes: number;
  /** Checksums known beforehand, by file name. */
  readonly sha256: Readonly<Record<string, string>>;
  /** Set if the address serves changing releases: a response that names another year's release is not this vintage. */
  readonly releaseYear: number | undefined;
  /** Web pages with more information, named to the user if the file cannot be fetched. */
  readonly pages: readonly string[];
  /** What is known about a product that its agency no longer publishes. */
  readonly takenDown: string | undefined;
}

/** What a fetch is to download. */
export interface FetchSelection {
  /** Ids of sources or downloads; undefined for all that are not optional. */
  readonly sources: readonly string[] | undefined;
  /** Two-digit FIPS codes, sorted. */
  readonly states: readonly string[];
  /** The newest vintage up to this year is taken; undefined for the newest known one. */
  readonly year: number | undefined;
  /** The vintages, besides the newest, of products that are taken in all vintages; undefined for all. */
  readonly trendYears: readonly number[] | undefined;
  /** The base URL of the user's own mirror, which then serves everything: `<mirror>/<host>/<path>`. */
  readonly mirror: string | undefined;
  readonly censusApiKey: string;
}
