import { join } from 'node:path';

/** The built program that users start. */
export const PROGRAM = join(import.meta.dirname, '..', '..', 'program', 'main.js');

/** Built scripts that the bench runs in their own processes. */
export const READ_SHAPEFILES = join(import.meta.dirname, '..', 'peers', 'read-shapefiles.js');
export const SPLIT_CSV = join(import.meta.dirname, '..', 'providers', 'split-csv.js');
