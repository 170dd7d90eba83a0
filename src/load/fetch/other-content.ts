import { beginning } from '../files/content-kind.js';

/** What a file must contain according to its name, which the manifest takes from the agency. */
type Kind = 'archive' | 'rows in JSON' | 'table';

/**
 * What a server sent instead of a file, as text for the user: a web page, an error in JSON, a line of excuse. Undefined if
 * the content looks right. `head` is its first bytes, `contentType` the server's name for it.
 */
export function otherContent(fileName: string, head: Buffer, contentType: string | undefined): string | undefined {
  const kind = kindOf(fileName);
  const text = head.toString('utf8').replace(/^[\s\uFEFF]+/, '');
  if (text.startsWith('<')) return /^<\?xml/i.test(text) && !/<html/i.test(text) ? 'an XML document' : 'a web page';
  const isJson = /^[[{]/.test(text);
  const isArchive = head.toString('latin1', 0, 2) === 'PK';
  if (kind === 'rows in JSON') {
    // The text is not shown: the URL contained a key, which an error message may repeat.
    if (text.startsWith('[')) return calledOneOf(/^(html|xml)$/, contentType);
    return isJson ? 'an object in JSON, no rows,' : 'text that is not JSON';
  }
  // An archive's content type does not matter, because its members are checked one by one.
  if (isArchive) return kind === 'archive' ? undefined : 'a zip archive';
  if (isJson) return `JSON (${beginning(text)})`;
  if (kind === 'archive') return undefined;
  if (!/^[^\r\n]*[,\t|]/.test(text)) return `text that is not a table (${beginning(text)})`;
  return calledOneOf(/^(html|xml|json)$/, contentType);
}

/** Whether a server calls what it sends a web page. */
export function isCalledPage(contentType: string | undefined): boolean {
  return calledOneOf(/^html$/, contentType) !== undefined;
}

function kindOf(fileName: string): Kind {
  if (/\.zip$/i.test(fileName)) return 'archive';
  return /\.json$/i.test(fileName) ? 'rows in JSON' : 'table';
}

/** Describes the content type if it is one of these formats: `application/xhtml+xml` is XML. */
function calledOneOf(formats: RegExp, contentType = ''): string | undefined {
  const [, format] = /^(?:text|application)\/(?:[\w.-]+\+)?(\w+)\s*(?:;|$)/.exec(contentType.toLowerCase()) ?? [];
  return format !== undefined && formats.test(format) ? `content of type ${beginning(contentType)}` : undefined;
}
