import { constants } from 'node:os';

/** What Node calls an error of the system for which it has no name: the latter where it throws one in C++. */
const UNNAMED = /^Unknown system error -\d+$|^UNKNOWN$/;

/** The code of an error of the system or of Node, such as `ENOENT`; undefined for an error without one. */
export function systemCode(error: unknown): string | undefined {
  if (!(error instanceof Error && 'code' in error && typeof error.code === 'string')) return undefined;
  const isUnnamed = UNNAMED.test(error.code) && 'errno' in error && typeof error.errno === 'number';
  return isUnnamed ? (nameOfErrno(-Number(error.errno)) ?? error.code) : error.code;
}

/** The name of an error that the system numbers. Knows what Node has no name for on Linux, such as EDQUOT and ESTALE. */
export function nameOfErrno(number: number): string | undefined {
  return Object.entries(constants.errno).find(([, value]) => value === number)?.[0];
}
