import { beginning } from '../files/content-kind.js';

/** What a file has to be, by its name: the manifest names every file as the agency does. */
type Kind = 'archive' | 'rows in JSON' | 'table';

/**
 * What a server sent in a file's place, for the person at the terminal: a web page, an error in JSON, a line of excuse.
 * Undefined where nothing speaks against the file. `head` is its first bytes, `contentType` what the server calls it.
 */
export function otherContent(fileName: string, head: Buffer, contentType: string | undefined): string | undefined {
  const kind = kindOf(fileName);
  const text = head.toString('utf8').replace(/^[\s\uFEFF]+/, '');
  if (text.startsWith('<')) return /^<\?xml/i.test(text) && !/<html/i.test(text) ? 'an XML document' : 'a web page';
  const isJson = /^[[{]/.test(text);
  const isArchive = head.toString('latin1', 0, 2) === 'PK';
  if (kind === 'rows in JSON') {
    // Not shown: the address had a key, and an error may repeat it.
    if (text.startsWith('[')) return calledOneOf(/^(html|xml)$/, contentType);
    return isJson ? 'an object in JSON, no rows,' : 'text that is no JSON';
  }
  // Whatever the server calls it, an archive's members are checked one by one.
  if (isArchive) return kind === 'archive' ? undefined : 'a zip archive';
  if (isJson) return `JSON (${beginning(text)})`;
  if (kind === 'archive') return undefined;
  if (!/^[^\r\n]*[,\t|]/.test(text)) return `text that is no table (${beginning(text)})`;
  return calledOneOf(/^(html|xml|json)$/, contentType);
}

function kindOf(fileName: string): Kind {
  if (/\.zip$/i.test(fileName)) return 'archive';
  return /\.json$/i.test(fileName) ? 'rows in JSON' : 'table';
}

/** What the server calls it, where that is one of these: `application/xhtml+xml` is XML. */
function calledOneOf(formats: RegExp, contentType = ''): string | undefined {
  const [, format] = /^(?:text|application)\/(?:[\w.-]+\+)?(\w+)\s*(?:;|$)/.exec(contentType.toLowerCase()) ?? [];
  return format !== undefined && formats.test(format) ? `what it calls ${beginning(contentType)}` : undefined;
}
