import { z } from 'zod';
import { isWebUrl } from '../core/web-url.js';

/** One setting: read from a flag, else from the environment, else the default. */
export interface Setting<T> {
  /** The environment variable. The flag is the same in kebab case: `DATASETS_DIR` is `--datasets-dir`. */
  readonly name: string;
  readonly alias?: string;
  readonly about: string;
  /** What values it accepts, as told to people when it has another. */
  readonly accepts: string;
  /** The default if neither flag nor variable is set, as text like theirs. */
  readonly fallback: string;
  readonly schema: z.ZodType<T, string>;
  /** The value of the flag when it is given without one; other flags need a value. */
  readonly bare?: string;
  /** Another variable, read if the one called `name` is not set: some names are also common in lower case. */
  readonly otherName?: string;
  /** Secrets are never printed, not even when they are wrong. */
  readonly secret?: true;
}

/** Returns the setting unchanged; infers the type of its value. */
export const setting = <T>(entry: Setting<T>): Setting<T> => entry;

/** A text that is not blank: nobody means a directory called ` `, which a variable set from an unset one can name. */
export const text = z.string().regex(/\S/);

/** The same for a text that may be unset, and is required together with another setting. */
export const textIfSet = (schema: z.ZodString) => schema.regex(/^$|\S/);

export const integer = (least: number, most: number) =>
  z.string().regex(/^\d+$/).transform(Number).pipe(z.number().min(least).max(most));

/** The `accepts` text and the schema of a whole-number setting. */
export const wholeNumber = (least: number, most: number) => ({
  accepts: `a whole number from ${least} to ${most}`,
  schema: integer(least, most),
});

/** The `accepts` text and the schema of a setting that is true or false. */
export const flag = {
  accepts: 'true or false',
  schema: z.enum(['true', 'false']).transform((word) => word === 'true'),
};

/**
 * The `accepts` text and the schema of a web URL to which paths that begin with a slash can be appended: its own slashes at
 * the end are dropped. Empty if it may be unset.
 */
export const baseUrl = ({ optional = false } = {}) => ({
  accepts: 'an http or https URL without user, query or fragment',
  schema: z
    .string()
    .refine((url) => isBaseUrl(url) || (optional && url === ''))
    .transform((url) => url.replace(/\/+$/, '')),
});

/** Splits a comma-separated list; blanks around entries and empty entries are dropped. */
export function splitList(list: string): string[] {
  return list
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
}

/** Whether a text is a web URL that is safe to print (no user or password) and to which paths can be appended. */
function isBaseUrl(text: string): boolean {
  // Neither an empty query or fragment nor a blank at the end is left in a parsed URL; in the text, paths would follow them.
  if (!isWebUrl(text) || /[?#\s]/.test(text)) return false;
  const { username, password } = new URL(text);
  return username === '' && password === '';
}
