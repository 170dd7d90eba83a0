import { expect, test } from 'vitest';
import { runToEnd } from '../support/service-process.js';
import { temporaryDirectory } from '../support/temporary-directory.js';
import { publishedTinyDirectory } from '../support/tiny-dataset.js';

/** What `new WebAssembly.Memory` does where `ulimit -v` leaves less than it reserves. */
const LITTLE = `WebAssembly.Memory = class { constructor() { throw new RangeError('could not allocate memory'); } };`;

test.each(['1', '2'])(
  'without the address space that calls need, the service does not start, rather than end at its first call: %s process(es)',
  async (processes) => {
    const { code, stdout } = await runToEnd(['serve', '--datasets', publishedTinyDirectory(), '--port', '0'], {
      PROCESSES: processes,
      STATE_DIR: temporaryDirectory(),
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(LITTLE)}`,
    });
    expect(code).toBe(1);
    const [line = '', ...more] = stdout.trim().split('\n');
    expect(more).toEqual([]);
    expect(JSON.parse(line)).toMatchObject({
      msg: 'the service cannot start',
      reason: expect.stringContaining('ulimit -v'),
    });
  },
);
