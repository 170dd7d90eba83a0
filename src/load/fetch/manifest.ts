import { z } from 'zod';

/**
 * `{year}`, `{state}`, `{county}` (FIPS), `{stateCode}` (`dc`), `{stateFolder}` (`DistrictOfColumbia`), `{table}`,
 * `{sequence}` and `{key}` stand for values; the last one for the Census API's key.
 */
const pattern = z.string().startsWith('https://');
const fileName = z.string().regex(/^[\w.{}-]+$/);
const megabytes = z.number().positive();

const mirrorSchema = z.strictObject({
  /** Who keeps the copy. */
  publisher: z.string().min(1),
  /** Where people read about it. */
  page: z.url(),
  /** The file itself; without it the mirror is shown to people and nothing is downloaded from it. */
  url: pattern.optional(),
  /** The file's name where it is another than the agency's, as that of an unzipped copy. */
  file: fileName.optional(),
  /** Hosts that it may send on to. */
  redirectHosts: z.array(z.string().min(1)).optional(),
});

const vintageSchema = z.strictObject({
  /** Four digits, or `latest` for what the agency replaces in its place. */
  vintage: z.string().regex(/^(20\d\d|latest)$/),
  /** Which tracts it is published on; none where it has no tracts. */
  tractVintage: z.union([z.literal(2010), z.literal(2020)]).optional(),
  /** Where this vintage lies elsewhere than the others, or is named otherwise. */
  url: pattern.optional(),
  file: fileName.optional(),
  layout: z.string().min(1).optional(),
  sizeMegabytes: megabytes.optional(),
  /** Tried in their order where the agency has nothing at the first address. */
  alternatives: z.array(pattern).optional(),
  /** The address holds whatever release is the newest: an answer that names another release is refused. */
  rolling: z.literal(true).optional(),
  /** Since when the agency no longer has it, and what is known of that; the mirrors are then asked first. */
  takenDown: z.strictObject({ since: z.string().min(4), note: z.string().min(1) }).optional(),
  mirrors: z.array(mirrorSchema).optional(),
  /** Known SHA-256 by file name, 64 hexadecimal digits. */
  sha256: z.record(fileName, z.string().regex(/^[0-9a-f]{64}$/)).optional(),
});

/** A file beside the download's own, without which those cannot be read. */
const companionSchema = z.strictObject({
  url: pattern,
  file: fileName,
  sizeMegabytes: megabytes,
  /** Tried in their order where the agency has nothing at the first address. */
  alternatives: z.array(pattern).optional(),
});

const indexSchema = z.strictObject({
  /** A page or catalogue that names the files. */
  url: pattern,
  /** A link on it: a regular expression whose groups `year`, `month` and `day` date it; a month may be an English name. */
  link: z.string().refine(isPattern, 'not a regular expression with a group `year`'),
  take: z.enum(['newest', 'all']),
});

const downloadBase = z.strictObject({
  /** What `fetch --sources` calls it; also the folder that its files are put into. */
  id: z.string().regex(/^[a-z][a-z0-9-]*$/),
  per: z.enum(['nation', 'state', 'county']),
  /** FIPS codes of states and territories that it has no files of, where it is by state. */
  without: z.array(z.string().regex(/^\d\d$/)).optional(),
  layout: z.string().min(1),
  url: pattern.optional(),
  /** Where people find its files, where that is another page than the source's. */
  landingPage: z.url().optional(),
  /** What a file is called on disk: the agency's name for it. */
  file: fileName.optional(),
  /** Where the names of the files change, and a page tells them. */
  index: indexSchema.optional(),
  /** A file for each of these, as `{table}`; with a lookup, for each `{sequence}` that holds one of them. */
  tables: z.array(z.string().min(1)).min(1).optional(),
  /** One a vintage: tells in which sequence each table is. */
  lookup: companionSchema.optional(),
  /** One for each state, where the download is by state. */
  geography: companionSchema.optional(),
  /** The download whose earlier vintages these are, in another layout: the newest is that of both together. */
  continues: z.string().optional(),
  /** What is not known for certain of addresses and sizes. */
  note: z.string().min(1).optional(),
  /** One file, about. */
  sizeMegabytes: megabytes,
  /** Of several vintages, which a fetch takes. */
  take: z.enum(['newest', 'all']).default('newest'),
  /** Only where it is asked for by its id. */
  optional: z.literal(true).optional(),
  vintages: z.array(vintageSchema).min(1),
});

export const downloadSchema = downloadBase.refine(
  ({ index, vintages, url, file }) => index || vintages.every((entry) => (entry.url ?? url) && (entry.file ?? file)),
  'a download has an index, or every vintage a url and a file',
);

/** How one product is downloaded, vintage by vintage. Next year's vintage is one more entry in `vintages`. */
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
