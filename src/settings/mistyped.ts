/** An environment variable that is no setting's, and the setting that may be meant. */
export interface MistypedName {
  readonly name: string;
  readonly meant: string;
}

/** A name that differs by one slip from a shorter setting is just as likely the name of something else. */
const LEAST_LENGTH = 8;

/** Finds variables one slip away from a setting's name: one letter added, missing or different, or two exchanged. */
export function findMistyped(variables: readonly string[], settings: readonly string[]): MistypedName[] {
  const known = new Set(settings);
  const likely = settings.filter((name) => name.length >= LEAST_LENGTH);
  return variables
    .filter((name) => !known.has(name))
    .flatMap((name) => {
      const meant = likely.find((setting) => isOneSlip(name.toUpperCase(), setting));
      return meant === undefined ? [] : [{ name, meant }];
    });
}

/** Whether two names differ by one letter that is added, missing or different, or by two that are exchanged. */
export function isOneSlip(one: string, other: string): boolean {
  if (Math.abs(one.length - other.length) > 1) return false;
  const at = firstDifference(one, other);
  const [ones, others] = [one.slice(at), other.slice(at)];
  return (
    ones.slice(1) === others.slice(1) ||
    ones.slice(1) === others ||
    ones === others.slice(1) ||
    (ones.slice(2) === others.slice(2) && ones[0] === others[1] && ones[1] === others[0])
  );
}

function firstDifference(one: string, other: string): number {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at++;
  return at;
}
