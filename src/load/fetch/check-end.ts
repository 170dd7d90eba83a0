import { existsSync } from 'node:fs';
import { cutOffAlone, cutOffBeside, cutOffRows } from './cut-off.js';
import { FetchError } from './fetch-error.js';
import type { StoreLayout } from './store-layout.js';

export interface EndCheckSetup {
  readonly layout: StoreLayout;
  /** Shows the user a message while the fetch runs. */
  readonly onNote: (note: string) => void;
}

const LOOKS_TRUNCATED = 'the download came without a length and looks truncated';

/**
 * Refuses a table that looks cut off beside the copy in its place, whoever put that there, which is kept; of a table without
 * one, only says so. Truncated archives have been detected before.
 */
export async function checkEnd({ layout, onNote }: EndCheckSetup, path: string): Promise<void> {
  if (/\.zip$/i.test(path)) return;
  const part = layout.part(path);
  const cutOff = /\.json$/i.test(path) ? await cutOffRows(part) : undefined;
  if (cutOff !== undefined) throw new FetchError('damaged', `${LOOKS_TRUNCATED}: ${cutOff}`);
  const hasPrevious = existsSync(layout.file(path));
  const why = hasPrevious ? await cutOffBeside(part, layout.file(path)) : await cutOffAlone(part);
  if (why === undefined) return;
  if (!hasPrevious) return onNote(`${path}: ${LOOKS_TRUNCATED}: ${why}`);
  throw new FetchError(
    'damaged',
    `${LOOKS_TRUNCATED}: ${why}. To accept it, delete ${layout.file(path)} and fetch again`,
  );
}
