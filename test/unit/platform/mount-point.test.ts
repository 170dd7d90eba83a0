import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isMountPoint } from '../../../src/platform/mount-point.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';

test.runIf(process.platform === 'linux')(
  'a mount point is distinguished from directories in and around it, links included',
  () => {
    const root = temporaryDirectory();
    mkdirSync(join(root, 'proc'));
    symlinkSync('/proc', join(root, 'link'));
    symlinkSync('/', join(root, 'top'));
    const paths = ['/', '/proc', '/proc/', '/proc/self', root, 'proc', 'link', 'top/proc', 'none'];
    const mounted = paths.filter(
      (path) => isMountPoint(join(root, path)) || (path.startsWith('/') && isMountPoint(path)),
    );
    expect(mounted).toEqual(['/', '/proc', '/proc/', 'top/proc']);
  },
);
