import { join } from 'node:path';

/** The built program, as people start it. */
export const PROGRAM = join(import.meta.dirname, '..', '..', 'program', 'main.js');

/** Built scripts of the bench that are run in a process of their own. */
export const READ_SHAPEFILES = join(import.meta.dirname, '..', 'peers', 'read-shapefiles.js');
export const SPLIT_CSV = join(import.meta.dirname, '..', 'providers', 'split-csv.js');
