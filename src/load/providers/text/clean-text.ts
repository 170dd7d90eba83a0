/** What NPPES writes where a person has kept a field to himself. */
const HIDDEN = /^<UNAVAIL>$/i;

/** Characters as HTML writes them, which HRSA's names hold: `&amp;`, `&#241;`. */
const HTML_CHARACTER = /&(?:amp|#(\d{1,6}));/g;

/** What a text has that may not be clean already; most have nothing of it. */
const UNCLEAN = /[^ -%'-~]|^[ <]| $| {2}/;

/**
 * A cell without HTML's way to write characters, control characters and surplus spaces; empty where it holds nothing
 * that can be shown.
 */
export function cleanText(text: string): string {
  if (!UNCLEAN.test(text)) return text;
  const clean = text
    .replace(HTML_CHARACTER, (_, code?: string) => (code === undefined ? '&' : String.fromCodePoint(Number(code))))
    .replace(/[\p{Cc}\p{Cf}]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  return HIDDEN.test(clean) ? '' : clean;
}

/** As {@link cleanText}; null where nothing is left. */
export function textOrNull(text: string): string | null {
  return cleanText(text) || null;
}

/** Whether a text is written in one case throughout, as registries shout it: such a text says nothing of its case. */
export function isShouted(text: string): boolean {
  return text === text.toUpperCase() || text === text.toLowerCase();
}
