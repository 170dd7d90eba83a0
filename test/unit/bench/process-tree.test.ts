import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { childrenOf, privateDirtyOfTree } from '../../../bench/lib/process-tree.js';

test.runIf(process.platform === 'linux')(
  'a process that has ended has no children and no memory, and is no error',
  async () => {
    const child = spawn(process.execPath, ['--eval', '']);
    const { pid = 0 } = child;
    expect(childrenOf(process.pid)).toContain(pid);
    await once(child, 'exit');
    expect(childrenOf(process.pid)).not.toContain(pid);
    expect(childrenOf(pid)).toEqual([]);
    expect(privateDirtyOfTree(pid)).toBeUndefined();
  },
);
