import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { UNITS_PER_DEGREE } from '../../src/core/coordinates.js';
import { signedArea } from '../../src/core/signed-area.js';
import { discoverFiles } from '../../src/load/files/discover.js';
import { Intake } from '../../src/load/intake/intake.js';
import { openShapeReaderHere } from '../../src/load/outlines/shape-reader.js';
import { recognizeFiles } from '../../src/load/recognize/recognize.js';
import { chooseOutlines, readOutlines } from '../../src/load/sources/tiger/index.js';
import type { Ring } from '../../src/query/outline/ring.js';
import { findJunctions } from '../../src/query/outline/shared-borders.js';
import { simplifyRing } from '../../src/query/outline/simplify-ring.js';
import { plainOutlines } from '../support/plain-outlines.js';
import { realDataDir } from '../support/real-data.js';
import { temporaryDirectory } from '../support/temporary-directory.js';
import { edgesOfOutline, unmatchedEdges } from '../unit/synthetic/edges.js';

const dataDir = realDataDir('simplification of outlines');

async function readRings(dataDir: string, zip: string): Promise<Ring[][]> {
  const directory = temporaryDirectory();
  copyFileSync(join(dataDir, 'raw', 'tiger', zip), join(directory, zip));
  const { shapefiles } = await recognizeFiles(await discoverFiles([directory]));
  const intake = new Intake({ territories: false });
  const rows: Ring[][] = [];
  await readOutlines(
    chooseOutlines(shapefiles, intake, (geoid) => geoid),
    openShapeReaderHere().read,
    ({ rings }) => rows.push([...rings]),
    () => {},
  );
  return rows;
}

describe.skipIf(dataDir === undefined)('simplified TIGER/Line outlines', () => {
  it.each([
    ['Delaware', 'tl_2020_10_tract.zip', 262],
    ['the District of Columbia', 'tl_2020_11_tract20.zip', 206],
    ['Rhode Island', 'tl_2020_44_tract20.zip', 250],
  ])('of %s have no gap inside, and no ring collapses', async (_, zip, tractCount) => {
    const rows = await readRings(dataDir ?? '', zip);
    expect(rows).toHaveLength(tractCount);
    const borders = findJunctions(
      plainOutlines(rows),
      rows.map((_, row) => row),
    );
    const endsOf = (rings: readonly Ring[]): string[] =>
      unmatchedEdges(edgesOfOutline({ rings })).flatMap(([ax, ay, bx, by]) => [`${ax},${ay}`, `${bx},${by}`]);
    const border = new Set(endsOf(rows.flat()));
    for (const degrees of [0.0001, 0.001, 0.01]) {
      const shown = rows.flat().map((ring) => simplifyRing(ring, borders, degrees * UNITS_PER_DEGREE));
      expect(endsOf(shown).filter((vertex) => !border.has(vertex))).toEqual([]);
      expect(shown.filter((ring) => signedArea(ring) === 0)).toEqual([]);
    }
  });
});
