/** Parses delimited text by the rules of the agencies' files: fields may be quoted, with quotes inside doubled. */
export function naiveRows(text: string, delimiter = ','): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let field = '';
  let quoted = false;
  for (let at = text.charCodeAt(0) === 0xfeff ? 1 : 0; at < text.length; at++) {
    const character = text.charAt(at);
    if (quoted) {
      if (character !== '"') field += character;
      else if (text.charAt(at + 1) === '"') field += text.charAt(++at);
      else quoted = false;
    } else if (character === '"') quoted = true;
    else if (character === delimiter || character === '\n') {
      row.push(field.trim());
      field = '';
      if (character === '\n') {
        rows.push(row);
        row = [];
      }
    } else if (character !== '\r') field += character;
  }
  if (field !== '' || row.length > 0) rows.push([...row, field.trim()]);
  return rows;
}

/** Parses an estimate as the Census Bureau formats it in tables for people; undefined if there is none. */
export function naiveEstimate(text: string | undefined): number | undefined {
  if (text === '250,000+') return 250_001;
  if (text === '2,500-') return 2499;
  const value = Number(text?.replaceAll(',', '') || Number.NaN);
  return Number.isNaN(value) || /^-([1-9])\1{8}$/.test(String(value)) ? undefined : value;
}
