import { readTail } from '../files/read-head.js';

/** A table below this share of its previous size was more likely cut off than changed by the agency. */
const LEAST_SHARE = 0.5;

const NO_LINE_BREAK = 'its last line has no line break';

/**
 * Why a table looks cut off compared with the copy fetched before; undefined if it does not. For responses without a
 * length: the end of the connection is then taken for the end of the file, whatever ended it.
 */
export async function cutOffBeside(path: string, before: string): Promise<string | undefined> {
  const [came, had] = [await measure(path), await measure(before)];
  if (came.sizeBytes < had.sizeBytes * LEAST_SHARE) {
    return `${came.sizeBytes} bytes arrived, but the existing copy has ${had.sizeBytes}`;
  }
  return endsInLineBreak(had) && !endsInLineBreak(came) ? NO_LINE_BREAK : undefined;
}

/** Why rows in JSON are cut off; undefined if they are not. For the same responses. */
export async function cutOffRows(path: string): Promise<string | undefined> {
  return /\]\s*\]\s*$/.test((await measure(path)).end) ? undefined : 'its rows do not end';
}

/** Why a table that was never fetched before may be cut off; undefined if it is not. A few tables end in no line break. */
export async function cutOffAlone(path: string): Promise<string | undefined> {
  return endsInLineBreak(await measure(path)) ? undefined : NO_LINE_BREAK;
}

/** More than JSON has of white space at its end. */
const END_BYTES = 16;

interface Measured {
  readonly sizeBytes: number;
  /** The last bytes, one character each. */
  readonly end: string;
}

const endsInLineBreak = ({ end }: Measured): boolean => /[\n\r]$/.test(end);

async function measure(path: string): Promise<Measured> {
  const { tail, start } = await readTail(path, END_BYTES);
  return { sizeBytes: start + tail.byteLength, end: tail.toString('latin1') };
}
