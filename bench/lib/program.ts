import { join } from 'node:path';
import { packageFile } from '../../src/platform/package-root.js';

/** The built program that users start. */
export const PROGRAM = packageFile('dist', 'program', 'main.js');

/** Built scripts that the bench runs in their own processes. */
export const READ_SHAPEFILES = join(import.meta.dirname, '..', 'peers', 'read-shapefiles.js');
export const SPLIT_CSV = join(import.meta.dirname, '..', 'providers', 'split-csv.js');
