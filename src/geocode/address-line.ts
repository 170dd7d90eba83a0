/** `123 Samplewood Ave, Sampleton, DE 19901`, leaving out what is empty. */
export const addressLine = (street: string, city: string, state: string, zip: string): string =>
  joined(joined(street, ', ', city), ', ', joined(state, ' ', zip));

const joined = (one: string, separator: string, other: string): string =>
  one !== '' && other !== '' ? one + separator + other : one + other;
