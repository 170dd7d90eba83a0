import { malformedUrl } from './errors.js';

/** A query string's parameters; a list where one is given more than once. The object has no prototype. */
export type QueryParameters = Readonly<Record<string, string | readonly string[]>>;

/** The parameters of a request target. Throws `malformed_url` where the percent-encoding is broken. */
export function parseQuery(target: string): QueryParameters {
  // No prototype: a parameter named `__proto__` or `constructor` is a name like any other.
  const parameters: Record<string, string | string[]> = Object.create(null);
  const start = target.indexOf('?');
  if (start < 0) return parameters;
  for (const pair of target.slice(start + 1).split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const name = decode(equals < 0 ? pair : pair.slice(0, equals));
    const value = equals < 0 ? '' : decode(pair.slice(equals + 1));
    const earlier = parameters[name];
    if (earlier === undefined) parameters[name] = value;
    else if (typeof earlier === 'string') parameters[name] = [earlier, value];
    else earlier.push(value);
  }
  return parameters;
}

function decode(text: string): string {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text;
  if (!spaced.includes('%')) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch {
    throw malformedUrl();
  }
}
