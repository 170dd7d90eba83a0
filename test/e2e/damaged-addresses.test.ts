import { closeSync, cpSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { generationPath, readCurrent } from '../../src/catalog/directory/generations.js';
import { ADDRESSES_KIND } from '../../src/format/addresses/shard.js';
import { openContainer } from '../../src/format/container-reader.js';
import { openFileSource } from '../../src/format/file-source.js';
import { demoDataset } from '../support/demo-dataset.js';
import { startService, TEST_KEY } from '../support/service-process.js';
import { temporaryDirectory } from '../support/temporary-directory.js';

/** Overwrites a section that is looked into when the ranges are first used; header and checksums stay as they are. */
function damage(path: string, name: string): void {
  const container = openContainer(openFileSource(path), ADDRESSES_KIND);
  const section = container.sections.find((one) => one.name === name) ?? expect.fail(`there is no section ${name}`);
  container.release();
  const file = openSync(path, 'r+');
  writeSync(file, Buffer.alloc(section.sizeBytes, 0xff), 0, section.sizeBytes, section.offset);
  closeSync(file);
}

test('damaged address ranges make only address lookups unavailable', async () => {
  const datasetsDir = join(temporaryDirectory(), 'datasets');
  cpSync(await demoDataset(), datasetsDir, { recursive: true });
  damage(join(generationPath(datasetsDir, readCurrent(datasetsDir) ?? ''), 'addresses-44.tctx'), 'city/first-zip');
  const service = await startService(datasetsDir);
  onTestFinished(service.kill);
  // It looks into them a second after the start.
  await service.logLine({ msg: 'the address ranges cannot be read' });
  const address = '1 Samplewood Ave, Demoville, DE';
  const one = await service.fetch(`/v1/context?address=${encodeURIComponent(address)}`);
  expect(one.status).toBe(502);
  for (const count of [2, 20]) {
    const batch = await service.fetch('/v1/batch', {
      method: 'POST',
      headers: { 'X-API-Key': TEST_KEY, 'Content-Type': 'application/json' },
      body: JSON.stringify({ addresses: Array.from({ length: count }, (_, at) => `${at + 1} Main St, Demoville, DE`) }),
    });
    expect(batch.status).toBe(200);
    const unavailable = { error: 'Geocoder unavailable.', tract: null };
    expect(await batch.json()).toMatchObject({ succeeded: 0, results: Array(count).fill(unavailable) });
  }
  expect((await service.fetch('/v1/stats')).status).toBe(200);
  expect((await service.fetch('/health')).status).toBe(200);
});
