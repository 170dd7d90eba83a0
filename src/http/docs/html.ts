/** HTML text that needs no further escaping. */
export class Html {
  constructor(readonly text: string) {}
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Template tag that builds HTML and escapes every interpolated value that is not {@link Html} already. */
export function html(strings: TemplateStringsArray, ...values: readonly (Html | readonly Html[] | string)[]): Html {
  const parts = strings.map((text, at) => text + render(values[at] ?? ''));
  return new Html(parts.join(''));
}

function render(value: Html | readonly Html[] | string): string {
  if (typeof value === 'string') return value.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? '');
  return value instanceof Html ? value.text : value.map(({ text }) => text).join('');
}

/** Renders the Markdown of the document's texts: `code` in backticks, lists, and paragraphs between empty lines. */
export function prose(text: string): Html {
  const paragraphs = text.split(/\n{2,}/).map((paragraph) => {
    const lines = paragraph.split('\n');
    if (lines.every((line) => line.startsWith('- '))) {
      return html`<ul>${lines.map((line) => html`<li>${inline(line.slice(2))}</li>`)}</ul>`;
    }
    return html`<p>${inline(paragraph)}</p>`;
  });
  return html`${paragraphs}`;
}

/** Renders a line with `code` in backticks. */
export function inline(text: string): Html {
  return html`${text.split('`').map((part, at) => (at % 2 === 0 ? html`${part}` : html`<code>${part}</code>`))}`;
}
