import { z } from 'zod';

/**
 * The placeholders are `{year}`, `{state}`, `{county}` (FIPS), `{stateCode}` (`dc`), `{stateFolder}` (`DistrictOfColumbia`),
 * `{table}`, `{sequence}` and `{key}` (the Census API key).
 */
const pattern = z.string().startsWith('https://');
const fileName = z.string().regex(/^[\w.{}-]+$/);
const megabytes = z.number().positive();

const mirrorSchema = z.strictObject({
  /** Who keeps the copy. */
  publisher: z.string().min(1),
  /** A web page about the copy. */
  page: z.url(),
  /** The file itself; if absent, the mirror is only named to the user, and nothing is downloaded from it. */
  url: pattern.optional(),
  /** The file's name if it differs from the agency's, as for an unzipped copy. */
  file: fileName.optional(),
  /** Hosts that it may redirect to. */
  redirectHosts: z.array(z.string().min(1)).optional(),
});

const vintageSchema = z.strictObject({
  /** Four digits, or `latest` for a file that the agency replaces in place. */
  vintage: z.string().regex(/^(20\d\d|latest)$/),
  /** The delineation of tracts that it is published on; absent if it is not about tracts. */
  tractVintage: z.union([z.literal(2010), z.literal(2020)]).optional(),
  /** These override the download's own properties where this vintage differs. */
  url: pattern.optional(),
  file: fileName.optional(),
  layout: z.string().min(1).optional(),
  sizeMegabytes: megabytes.optional(),
  /** Further URLs of the agency, tried in order if the first one fails. */
  alternatives: z.array(pattern).optional(),
  /** The address always serves the newest release: a response that names another release than this is refused. */
  rolling: z.literal(true).optional(),
  /** Since when the agency no longer publishes it, and what is known about that; mirrors are then tried first. */
  takenDown: z.strictObject({ since: z.string().min(4), note: z.string().min(1) }).optional(),
  mirrors: z.array(mirrorSchema).optional(),
  /** Known SHA-256 checksums by file name, 64 hexadecimal digits each. */
  sha256: z.record(fileName, z.string().regex(/^[0-9a-f]{64}$/)).optional(),
});

/** An additional file that is needed to read the download's own files. */
const companionSchema = z.strictObject({
  url: pattern,
  file: fileName,
  sizeMegabytes: megabytes,
  /** Further URLs of the agency, tried in order if the first one fails. */
  alternatives: z.array(pattern).optional(),
});

const indexSchema = z.strictObject({
  /** A web page or catalog that names the files. */
  url: pattern,
  /** A regular expression for its links; the groups `year`, `month` (number or English name) and `day` give the date. */
  link: z.string().refine(isPattern, 'not a regular expression with a group `year`'),
  take: z.enum(['newest', 'all']),
});

const downloadBase = z.strictObject({
  /** Its name for `fetch --sources`, and the folder that its files are put into. */
  id: z.string().regex(/^[a-z][a-z0-9-]*$/),
  per: z.enum(['nation', 'state', 'county']),
  /** For downloads by state: FIPS codes of states and territories for which there are no files. */
  without: z.array(z.string().regex(/^\d\d$/)).optional(),
  layout: z.string().min(1),
  url: pattern.optional(),
  /** The web page on which users find its files, if it is not the source's. */
  landingPage: z.url().optional(),
  /** A file's name on disk, which is the agency's name for it. */
  file: fileName.optional(),
  /** For files whose names change and are listed on a page. */
  index: indexSchema.optional(),
  /** There is one file for each of these (`{table}`) or, with a lookup, for each `{sequence}` that holds one of them. */
  tables: z.array(z.string().min(1)).min(1).optional(),
  /** One file per vintage, which tells in which sequence each table is. */
  lookup: companionSchema.optional(),
  /** For downloads by state: one file per state. */
  geography: companionSchema.optional(),
  /** The download whose earlier vintages these are, in another layout; "newest" then means the newest of both together. */
  continues: z.string().optional(),
  /** Uncertainties about addresses and sizes. */
  note: z.string().min(1).optional(),
  /** The approximate size of one file. */
  sizeMegabytes: megabytes,
  /** Which of several vintages a fetch takes. */
  take: z.enum(['newest', 'all']).default('newest'),
  /** Fetched only if it is requested by its id. */
  optional: z.literal(true).optional(),
  vintages: z.array(vintageSchema).min(1),
});

export const downloadSchema = downloadBase.refine(
  ({ index, vintages, url, file }) => index || vintages.every((entry) => (entry.url ?? url) && (entry.file ?? file)),
  'a download has an index, or every vintage a url and a file',
);

/** How a product is downloaded, vintage by vintage. Next year's vintage is one more entry in `vintages`. */
export type Download = Readonly<z.infer<typeof downloadSchema>>;
export type DownloadVintage = Download['vintages'][number];
export type DownloadCompanion = NonNullable<Download['lookup']>;
export type DownloadIndex = NonNullable<Download['index']>;
export type DownloadMirror = NonNullable<DownloadVintage['mirrors']>[number];

function isPattern(text: string): boolean {
  try {
    return text.includes('(?<year>') && new RegExp(text) instanceof RegExp;
  } catch {
    return false;
  }
}
