/** The request that a curl command sends. */
export interface CurlRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Parses a curl command with `-X`, `-H`, `-d` and one URL; throws for anything else. */
export function parseCurl(command: string, variables: Readonly<Record<string, string>>): CurlRequest {
  const [program, ...words] = shellWords(command, variables);
  if (program !== 'curl') throw new Error(`not curl: ${command}`);
  const headers: Record<string, string> = {};
  let method: string | undefined;
  let body: string | undefined;
  let url: string | undefined;
  for (let word = words.shift(); word !== undefined; word = words.shift()) {
    if (word === '-X') method = words.shift();
    else if (word === '-d') body = words.shift();
    else if (word === '-H') {
      const [name = '', ...value] = (words.shift() ?? '').split(':');
      headers[name] = value.join(':').trim();
    } else if (word.startsWith('-') || url !== undefined) throw new Error(`not understood: ${word} in ${command}`);
    else url = word;
  }
  if (url === undefined) throw new Error(`no URL: ${command}`);
  return { url, method: method ?? (body === undefined ? 'GET' : 'POST'), headers, ...(body !== undefined && { body }) };
}

/** Splits a command into words as a POSIX shell does, supporting quotes, backslashes and `$NAME` only. */
function shellWords(command: string, variables: Readonly<Record<string, string>>): string[] {
  const expand = (text: string): string => text.replace(/\$(\w+)/g, (_, name: string) => variables[name] ?? '');
  const words: string[] = [];
  let word: string | undefined;
  for (const [, single, double, escaped, plain] of command.matchAll(
    /'([^']*)'|"([^"]*)"|\\([\s\S])|([^\s'"\\]+)|\s+/g,
  )) {
    const part = single ?? (double === undefined ? undefined : expand(double)) ?? escaped ?? (plain && expand(plain));
    if (part !== undefined) word = (word ?? '') + part;
    else if (word !== undefined) {
      words.push(word);
      word = undefined;
    }
  }
  return word === undefined ? words : [...words, word];
}
