import { systemCode } from './system-code.js';

/** How the message of an error of the system begins for which Node has no name. */
const UNNAMED = /^(Unknown system error -\d+: Unknown system error -\d+|UNKNOWN: unknown error)/;

/** The message of whatever was thrown. Errors of the system for which Node has no name get the one that the system has. */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = systemCode(error);
  return code !== undefined && 'code' in error && error.code !== code
    ? error.message.replace(UNNAMED, code)
    : error.message;
}
