/** Part of the build: the compiler does not keep the mode that a package's bin needs. */
import { chmodSync } from 'node:fs';
import { join } from 'node:path';

chmodSync(join(import.meta.dirname, 'main.js'), 0o755);
