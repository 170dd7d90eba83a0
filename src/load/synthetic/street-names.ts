const FIRSTS = 'Sample Demo Mock Model Trial Specimen Proto Faux Pseudo Example Test Draft'.split(' ');
const SECONDS = 'wood field brook ridge dale grove hill lake mead stone view crest'.split(' ');
const SUFFIXES = ['Ave', 'St', 'Rd', 'Ln', 'Dr', 'Blvd', 'Ct', 'Way'];
const DIRECTIONS = ['N ', 'S ', 'E ', 'W '];
const NAMES = FIRSTS.length * SECONDS.length * SUFFIXES.length;
/** Has no factor in common with the number of names: a town has used all of them before one comes again. */
const NAME_STEP = 421;
/** One street in so many has a direction before its name. */
const DIRECTED_EVERY = 6;

/** `Samplewood Ave`, `N Mockridge Ln`: a street's name by its number in its town, and a number that differs by town. */
export function streetName(street: number, salt: number): string {
  const name = (street * NAME_STEP + salt) % NAMES;
  const [first, rest] = [name % FIRSTS.length, Math.floor(name / FIRSTS.length)];
  const [second, suffix] = [rest % SECONDS.length, Math.floor(rest / SECONDS.length)];
  const direction = name % DIRECTED_EVERY === 0 ? DIRECTIONS[street % DIRECTIONS.length] : '';
  return `${direction}${FIRSTS[first]}${SECONDS[second]} ${SUFFIXES[suffix]}`;
}
