import { z } from 'zod';
import { isWebUrl } from '../core/web-url.js';

/** One setting: read from a flag, else from the environment, else the default. */
export interface Setting<T> {
  /** The environment variable. The flag is the same in kebab case: `DATASETS_DIR` is `--datasets-dir`. */
  readonly name: string;
  readonly alias?: string;
  readonly about: string;
  /** What it may be, as people are told when it is something else. */
  readonly accepts: string;
  /** Used where neither flag nor variable is set; text like theirs. */
  readonly fallback: string;
  readonly schema: z.ZodType<T, string>;
  /** What the flag says where it has no value; others need one. */
  readonly bare?: string;
  /** Read where the variable of its own name is not set: some are known in lower case as well. */
  readonly otherName?: string;
  /** Secrets are never printed, not even when they are wrong. */
  readonly secret?: true;
}

/** Keeps the value's type. */
export const setting = <T>(entry: Setting<T>): Setting<T> => entry;

export const text = z.string().min(1);

export const integer = (least: number, most: number) =>
  z.string().regex(/^\d+$/).transform(Number).pipe(z.number().min(least).max(most));

/** What a setting that is a whole number accepts, and how it is read. */
export const wholeNumber = (least: number, most: number) => ({
  accepts: `a whole number from ${least} to ${most}`,
  schema: integer(least, most),
});

/** A comma-separated list. */
export function splitList(list: string): string[] {
  return list
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
}

/** A URL that can be printed, and that paths can be added to. */
export function isBaseUrl(text: string): boolean {
  if (!isWebUrl(text)) return false;
  const { username, password, search, hash } = new URL(text);
  return [username, password, search, hash].every((part) => part === '');
}
