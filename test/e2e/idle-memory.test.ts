import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { eventually } from '../support/eventually.js';
import { isGlibc } from '../support/glibc.js';
import { variants } from '../support/rounds.js';
import { PROGRAM } from '../support/run-program.js';
import { startService } from '../support/service-process.js';
import { temporaryDirectory } from '../support/temporary-directory.js';
import { publishTinyDataset } from '../support/tiny-dataset.js';

test.runIf(isGlibc()).each(variants(['1'], ['2']))(
  'after work, %s process(es) give free memory back',
  async (processes) => {
    const directory = temporaryDirectory();
    publishTinyDataset(directory);
    const preload = join(directory, 'tell.mjs');
    writeFileSync(
      preload,
      `import { createRequire } from 'node:module';
    const koffi = createRequire(${JSON.stringify(PROGRAM)})('koffi');
    const load = koffi.load;
    koffi.load = (...place) => {
      const library = load(...place);
      const telling = (signature) => {
        const call = library.func(signature);
        if (!signature.includes('malloc_trim')) return call;
        return (pad) => { console.error('given back'); return call(pad); };
      };
      return { func: telling };
    };
    // Busy for two seconds, then idle, however slow the machine is.
    let looks = 0;
    process.cpuUsage = () => ({ user: Math.min(looks++, 2) * 300_000, system: 0 });`,
    );
    const service = await startService(directory, {
      NODE_OPTIONS: `--import ${pathToFileURL(preload).href}`,
      PROCESSES: processes,
    });
    onTestFinished(async () => {
      service.signal('SIGTERM');
      await service.exited;
    });
    await eventually(() => expect(service.output()).toContain('given back'));
  },
);
