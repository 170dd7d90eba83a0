import { readdirSync } from 'node:fs';
import { expect, it, onTestFinished, vi } from 'vitest';
import { openLive } from '../../../bench/lib/live-dataset.js';
import { timeFirstAnswer } from '../../../bench/start/first-answer.js';
import { geoidFromNumber } from '../../../src/core/geoid.js';
import { demoDataset } from '../../support/demo-dataset.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';

it('the first answer is timed on a service without the state and settings of the user who runs the bench', async () => {
  const datasetsDir = await demoDataset();
  const dataset = openLive(datasetsDir);
  onTestFinished(() => dataset?.release());
  const { tracts, outlines } = dataset ?? expect.fail();
  const row = tracts.lats.findIndex((lat, at) => outlines.locate({ lat, lng: tracts.lngs[at] ?? 0 }) === at);
  const point = {
    lat: tracts.lats[row] ?? 0,
    lng: tracts.lngs[row] ?? 0,
    geoid: geoidFromNumber(tracts.geoids[row] ?? 0),
  };
  const [ownState, tempDir] = [temporaryDirectory(), temporaryDirectory()];
  vi.stubEnv('STATE_DIR', ownState);
  vi.stubEnv('API_KEYS', 'not a list of keys');
  onTestFinished(() => {
    vi.unstubAllEnvs();
  });
  expect(await timeFirstAnswer({ datasetsDir, point, tempDir })).toBeGreaterThan(0);
  expect(readdirSync(ownState)).toEqual([]);
  expect(readdirSync(tempDir)).toEqual([]);
});
