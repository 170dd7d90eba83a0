import { z } from 'zod';
import { CliError } from '../cli-error.js';
import { shownText } from './shown-text.js';

const UNIT_SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800, y: 31_536_000 };

/** Reads `90d`, `12h`, `30m`, `45s`, `2w`, `1y` as seconds. Throws `CliError` naming the option. */
export function parseDurationSeconds(option: string, text: string): number {
  const seconds = secondsOf(text);
  if (seconds !== undefined) return seconds;
  throw new CliError(`${option}: ${shownText(text)} is not a duration such as 90d, 12h or 30m`, 2);
}

function secondsOf(text: string): number | undefined {
  const [, amount = '', unit = ''] = /^(\d{1,9})([smhdwy])$/.exec(text) ?? [];
  const seconds = UNIT_SECONDS[unit];
  return seconds === undefined ? undefined : Number(amount) * seconds;
}

/** Formats `3 d 4 h`, `5 min 10 s`, `12 s`: the two largest units. */
export function formatDuration(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  const parts = [
    `${Math.floor(whole / 86_400)} d`,
    `${Math.floor(whole / 3600) % 24} h`,
    `${Math.floor(whole / 60) % 60} min`,
    `${whole % 60} s`,
  ];
  const first = parts.findIndex((part) => !part.startsWith('0 '));
  return first < 0 ? '0 s' : parts.slice(first, first + 2).join(' ');
}

/** A date, or a time with an offset, to the second or finer, or to the minute. */
const isoTime = z.union([
  z.iso.date(),
  z.iso.datetime({ offset: true }),
  z.iso.datetime({ offset: true, precision: -1 }),
]);

/**
 * Reads `never`, a duration from now, or an ISO 8601 date (its start in UTC) or time with offset, into the form that the
 * admin plane takes. Throws `CliError`, also for what is over already.
 */
export function parseExpiry(option: string, text: string, now: Date): string | null {
  if (text === 'never') return null;
  const endMs = expiryMs(option, text, now);
  if (endMs <= now.getTime())
    throw new CliError(`${option}: ${shownText(text)} is not in the future; to end a key now, use keys revoke`, 2);
  return new Date(endMs).toISOString();
}

function expiryMs(option: string, text: string, now: Date): number {
  if (/^\d{4}-\d{2}-\d{2}/.test(text)) {
    if (isoTime.safeParse(text).success) return Date.parse(text);
    throw new CliError(
      `${option}: ${shownText(text)} is neither a date such as 2027-01-31 nor a time such as 2027-01-31T10:00Z`,
      2,
    );
  }
  const seconds = secondsOf(text);
  if (seconds === undefined) {
    const known = 'a duration such as 90d, a date such as 2027-01-31, a time such as 2027-01-31T10:00Z, or never';
    throw new CliError(`${option}: ${shownText(text)} is not valid; use ${known}`, 2);
  }
  const endMs = now.getTime() + seconds * 1000;
  // Later dates do not fit the four-digit years of ISO 8601.
  if (endMs > Date.parse('9999-12-31T23:59:59Z'))
    throw new CliError(`${option}: ${shownText(text)} is too long; use never instead`, 2);
  return endMs;
}
