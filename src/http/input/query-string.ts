import querystring from 'node:querystring';

/** A query string's parameters by name; a list for one that is given more than once. The object inherits nothing. */
export type QueryParameters = Readonly<Record<string, string | readonly string[]>>;

/**
 * Objects that inherit no properties, so that a parameter named `__proto__` or `constructor` is a name like any other. V8
 * stores the objects of `Object.create(null)` as dictionaries, which makes setting names slower: about a microsecond a
 * request.
 */
class Parameters {
  [name: string]: string | string[];
}
Object.setPrototypeOf(Parameters.prototype, null);
Reflect.deleteProperty(Parameters.prototype, 'constructor');

/**
 * Parses a request target's query string the way browsers and most servers do: a `%` that encodes nothing is kept, and
 * invalid UTF-8 becomes U+FFFD. A malformed parameter is thus refused by its own schema, and one that no route reads is
 * harmless.
 */
export function parseQuery(target: string): QueryParameters {
  const parameters = new Parameters();
  const question = target.indexOf('?');
  if (question < 0) return parameters;
  for (let start = question + 1, end = 0; start < target.length; start = end + 1) {
    end = endOf(target, '&', start);
    if (start === end) continue;
    const pair = target.slice(start, end);
    const equals = endOf(pair, '=', 0);
    const name = decode(pair.slice(0, equals));
    const value = decode(pair.slice(equals + 1));
    const earlier = parameters[name];
    if (earlier === undefined) parameters[name] = value;
    else if (typeof earlier === 'string') parameters[name] = [earlier, value];
    else earlier.push(value);
  }
  return parameters;
}

/** The index of `sign` in `text` from `start` on, or the text's end if it is missing. */
function endOf(text: string, sign: string, start: number): number {
  const at = text.indexOf(sign, start);
  return at < 0 ? text.length : at;
}

function decode(text: string): string {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text;
  return spaced.includes('%') ? querystring.unescape(spaced) : spaced;
}
