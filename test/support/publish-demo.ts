import { Intake } from '../../src/load/intake/intake.js';
import { type PublishedDataset, publishIntake, publishing } from '../../src/load/publish-intake.js';
import { synthesize } from '../../src/load/synthetic/synthesize.js';

/** Publishes the demo nation's Delaware. */
export const publishDemo = (outputDir: string): Promise<PublishedDataset> =>
  publishing(outputDir, (publication) => {
    const intake = new Intake({ states: new Set(['10']), territories: false });
    synthesize({ seed: 1, states: new Set(['10']) }, intake);
    return publishIntake(intake, publication, { readFrom: 'synthetic' }, { line: () => {}, step: () => {} });
  });
