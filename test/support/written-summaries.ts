import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openContainer } from '../../src/format/container-reader.js';
import { writeContainer } from '../../src/format/container-writer.js';
import { openSummaries, type Summaries, summarySections } from '../../src/format/summaries.js';
import type { TractsFile } from '../../src/format/tracts-file.js';
import { bytesInMemory } from './bytes-in-memory.js';

/** The summaries of tracts, written to a file and read back. */
export function writtenSummaries({
  geoids,
  values,
  names,
}: Pick<TractsFile, 'geoids' | 'values' | 'names'>): Summaries {
  const directory = mkdtempSync(join(tmpdir(), 'tract-context-'));
  const path = join(directory, 'summaries');
  const texts = Array.from(geoids, (_, row) => names.text(row));
  writeContainer(path, 'summaries', summarySections({ geoids, values, names: texts }));
  const bytes = readFileSync(path);
  rmSync(directory, { recursive: true });
  return openSummaries(openContainer(bytesInMemory(path, bytes), 'summaries'), geoids.length);
}
