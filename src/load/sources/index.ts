import type { Recognition, TextProbe } from '../model.js';
import { recognizeAcs } from './acs/index.js';
import { recognizeCenpop } from './cenpop/index.js';
import { recognizeCmsRhc } from './cms-rhc/index.js';
import { recognizeCtCrosswalk } from './ct-crosswalk/index.js';
import { recognizeEjscreen } from './ejscreen/index.js';
import { recognizeGazetteer } from './gazetteer/index.js';
import { recognizeHrsa } from './hrsa/index.js';
import { recognizeNppes } from './nppes/index.js';
import { recognizePlaces } from './places/index.js';
import { recognizeProviderCoordinates } from './provider-coordinates/index.js';
import type { TextSource } from './registry.js';
import { recognizeSvi } from './svi/index.js';
import { recognizeTractRelationship } from './tract-relationship/index.js';
import { recognizeZcta } from './zcta/index.js';

/** The text sources in the order in which they are asked; no two claim the same file. */
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

/** What the first source that knows the file says of it; undefined for a file that none knows. */
export function recognizeText(probe: TextProbe): Recognition | undefined {
  for (const recognize of TEXT_SOURCES) {
    const recognition = recognize(probe);
    if (recognition) return recognition;
  }
  return undefined;
}
