/**
 * A header has room for 16,000 alternatives, which would take 6 ms to read, also of a request without a key. A browser lists
 * ten at most.
 */
const ALTERNATIVES_MAX = 100;

/**
 * Parses the weights of a header that lists alternatives, such as `Accept` (RFC 9110, 12.4.2): from 0 to 1, by lowercase
 * name; 1 if none is given. Other parameters are ignored, and so are alternatives after the first hundred.
 */
export function parseWeights(header: string): ReadonlyMap<string, number> {
  const weights = new Map<string, number>();
  for (const part of header.toLowerCase().split(',', ALTERNATIVES_MAX)) {
    const [name = '', ...parameters] = part.split(';');
    if (name.trim() !== '') weights.set(name.trim(), weightOf(parameters));
  }
  return weights;
}

const WEIGHT = /^\s*q\s*=\s*(0(?:\.\d*)?|1(?:\.0*)?)\s*$/;

function weightOf(parameters: readonly string[]): number {
  for (const parameter of parameters) {
    const [, weight] = WEIGHT.exec(parameter) ?? [];
    if (weight !== undefined) return Number(weight);
  }
  return 1;
}
