import querystring from 'node:querystring';

/** A query string's parameters; a list where one is given more than once. The object inherits nothing. */
export type QueryParameters = Readonly<Record<string, string | readonly string[]>>;

/**
 * Objects with no properties but those that are set: a parameter named `__proto__` or `constructor` is a name like any
 * other. `Object.create(null)` makes such, too, but V8 keeps that as a dictionary, and looks for a better way at every
 * name that is set: about a microsecond a request.
 */
class Parameters {
  [name: string]: string | string[];
}
Object.setPrototypeOf(Parameters.prototype, null);
Reflect.deleteProperty(Parameters.prototype, 'constructor');

/**
 * The parameters of a request target, as browsers and most servers read them: a `%` that encodes nothing is itself, and what
 * is no UTF-8 becomes U+FFFD. So a broken parameter is refused by its own rules, and one that nobody reads harms nothing.
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

/** Where what comes before a sign ends: at the sign, or with the text. */
function endOf(text: string, sign: string, start: number): number {
  const at = text.indexOf(sign, start);
  return at < 0 ? text.length : at;
}

function decode(text: string): string {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text;
  return spaced.includes('%') ? querystring.unescape(spaced) : spaced;
}
