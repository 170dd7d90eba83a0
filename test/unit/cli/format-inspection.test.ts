import { expect, test } from 'vitest';
import { generationPath } from '../../../src/catalog/directory/generations.js';
import { formatInspection } from '../../../src/cli/inspect/format-inspection.js';
import { inspectDataset } from '../../../src/cli/inspect/inspection.js';
import type { ProvenanceEntry } from '../../../src/format/description.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';
import { publishTinyDataset } from '../../support/tiny-dataset.js';

function provenance(stateFips: string, section: ProvenanceEntry['section'], label: string): ProvenanceEntry {
  const rest = { metrics: [], source: '', year: 2023, tractVintage: 2020, stateRanked: false, tractCount: 1 };
  return { stateFips, section, label, ...rest };
}

test('the sources of a section are listed one below the other, also where only a later state has one', () => {
  const directory = temporaryDirectory();
  const generation = generationPath(directory, publishTinyDataset(directory));
  const inspection = inspectDataset(generation, { current: undefined, all: [] }, 0);
  const lines = formatInspection({
    ...inspection,
    sources: [
      provenance('10', 'demographics', 'Centers of population'),
      provenance('10', 'epa_data', 'EJScreen'),
      provenance('11', 'demographics', 'Centers of population'),
      provenance('11', 'demographics', 'ACS'),
    ],
  });
  const from = lines.findIndex((line) => line.startsWith('section  ') && line.includes('source, by vintage')) + 2;
  const rows = lines.slice(from, from + 3).map((line) => line.split(/ {2,}/).slice(0, 3));
  expect(rows).toEqual([
    ['demographics', 'Centers of population', 'DE DC'],
    ['demographics', 'ACS', 'DC'],
    ['epa_data', 'EJScreen', 'DE'],
  ]);
});
