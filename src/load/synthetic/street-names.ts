const FIRSTS = 'Sample Demo Mock Model Trial Specimen Proto Faux Pseudo Example Test Draft'.split(' ');
const SECONDS = 'wood field brook ridge dale grove hill lake mead stone view crest'.split(' ');
const SUFFIXES = ['Ave', 'St', 'Rd', 'Ln', 'Dr', 'Blvd', 'Ct', 'Way'];
const DIRECTIONS = ['N ', 'S ', 'E ', 'W '];
const NAMES = FIRSTS.length * SECONDS.length * SUFFIXES.length;
/** Coprime with the number of names, so that a town uses all names before one repeats. */
const NAME_STEP = 421;
/** One name in this many is preceded by a direction. */
const DIRECTED_EVERY = 6;

/** A street's name, `Samplewood Ave` or `N Mockridge Ln`, from its number in its town and a salt that differs by town. */
export function streetName(street: number, salt: number): string {
  const name = (street * NAME_STEP + salt) % NAMES;
  const [first, rest] = [name % FIRSTS.length, Math.floor(name / FIRSTS.length)];
  const [second, suffix] = [rest % SECONDS.length, Math.floor(rest / SECONDS.length)];
  const direction = name % DIRECTED_EVERY === 0 ? DIRECTIONS[street % DIRECTIONS.length] : '';
  return `${direction}${FIRSTS[first]}${SECONDS[second]} ${SUFFIXES[suffix]}`;
}
