import type { TextProbe } from '../files/probe.js';
import { likenessToAcs, recognizeAcs } from './acs/index.js';
import { CENPOP_HEADER, recognizeCenpop, whyNotCenpop } from './cenpop/index.js';
import { CMS_RHC_HEADER, recognizeCmsRhc } from './cms-rhc/index.js';
import { CT_CROSSWALK_HEADER, recognizeCtCrosswalk } from './ct-crosswalk/index.js';
import { EJSCREEN_HEADER, recognizeEjscreen } from './ejscreen/index.js';
import { GAZETTEER_HEADER, recognizeGazetteer } from './gazetteer/index.js';
import { HRSA_HEADER, recognizeHrsa } from './hrsa/index.js';
import { type KnownHeader, likenessTo } from './known-header.js';
import { REGISTRY_HEADER, recognizeNppes } from './nppes/index.js';
import { PLACES_LONG_HEADER, recognizePlaces } from './places/index.js';
import { likenessToExtract, recognizeProviderCoordinates } from './provider-coordinates/index.js';
import type { Recognition } from './recognition.js';
import { likenessToSvi, recognizeSvi, SVI_HEADER } from './svi/index.js';
import { recognizeTractRelationship, TRACT_RELATIONSHIP_HEADER } from './tract-relationship/index.js';
import { recognizeZcta, ZIP_GAZETTEER_HEADER } from './zcta/index.js';

/** A text source: recognizes its files by official name or by header, and says how to read them. */
type TextSource = (probe: TextProbe) => Recognition | undefined;

/** The text sources, in the order in which they are asked; no two recognize the same file. */
export const TEXT_SOURCES: readonly TextSource[] = [
  recognizeGazetteer,
  recognizeCenpop,
  recognizeAcs,
  recognizeSvi,
  recognizePlaces,
  recognizeEjscreen,
  recognizeCtCrosswalk,
  recognizeTractRelationship,
  recognizeNppes,
  recognizeHrsa,
  recognizeCmsRhc,
  recognizeProviderCoordinates,
  recognizeZcta,
];

/** What the first source that recognizes the file says about it; undefined if none does. */
export function recognizeText(probe: TextProbe): Recognition | undefined {
  for (const recognize of TEXT_SOURCES) {
    const recognition = recognize(probe);
    if (recognition) return recognition;
  }
  return undefined;
}

/** The headers of the agencies' tables. */
const KNOWN_HEADERS: readonly KnownHeader[] = [
  GAZETTEER_HEADER,
  CENPOP_HEADER,
  SVI_HEADER,
  PLACES_LONG_HEADER,
  EJSCREEN_HEADER,
  CT_CROSSWALK_HEADER,
  TRACT_RELATIONSHIP_HEADER,
  REGISTRY_HEADER,
  HRSA_HEADER,
  CMS_RHC_HEADER,
  ZIP_GAZETTEER_HEADER,
];

/** `looks like CDC/ATSDR SVI 2022, but has no column RPL_THEMES`, for a table that no source recognizes; or undefined. */
export function describeLikeness(probe: TextProbe): string | undefined {
  const found = [
    likenessToAcs(probe),
    likenessToExtract(probe),
    likenessToSvi(probe),
    ...KNOWN_HEADERS.map((header) => likenessTo(header, probe)),
  ];
  const [nearest] = found.filter((likeness) => likeness !== undefined).sort((a, b) => b.share - a.share);
  if (!nearest) return whyNotCenpop(probe);
  return `looks like ${nearest.product}, but has no column ${nearest.missing.join(', ')}`;
}
