import { cpSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { generationPath, readCurrent } from '../../src/catalog/directory/generations.js';
import { demoDataset } from '../support/demo-dataset.js';
import { eventually } from '../support/eventually.js';
import { variants } from '../support/rounds.js';
import { startService } from '../support/service-process.js';
import { temporaryDirectory } from '../support/temporary-directory.js';

test.each(variants([['address ranges of a state', 'addresses-44.tctx']], [['providers', 'providers.tctx']]))(
  'a dataset whose %s are not there yet is not served before they are',
  async (_, name) => {
    const datasetsDir = join(temporaryDirectory(), 'datasets');
    cpSync(await demoDataset(), datasetsDir, { recursive: true });
    const file = join(generationPath(datasetsDir, readCurrent(datasetsDir) ?? ''), name);
    const elsewhere = join(datasetsDir, name);
    renameSync(file, elsewhere);
    const service = await startService(datasetsDir);
    onTestFinished(service.kill);
    const { reason } = await service.logLine({ msg: 'the published dataset cannot be opened' });
    expect(reason).toMatch(/^wrong-files: .* one is missing/);
    expect((await service.fetch('/health')).status).toBe(503);
    renameSync(elsewhere, file);
    await eventually(async () => expect((await service.fetch('/health')).status).toBe(200));
  },
);
