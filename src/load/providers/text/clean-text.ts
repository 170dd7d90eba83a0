/** What NPPES writes in a field that a provider has chosen to hide. */
const HIDDEN = /^<UNAVAIL>$/i;

/** HTML character references, which occur in HRSA's names: `&amp;`, `&#241;`. */
const HTML_CHARACTER = /&(?:amp|#(\d{1,6}));/g;

/** Matches every text that may need cleaning; most do not. */
const UNCLEAN = /[^ -%'-~]|^[ <]| $| {2}/;

/**
 * A cell with its HTML character references resolved, and without control characters and surplus spaces; empty if nothing
 * is left that can be shown.
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

/** Like {@link cleanText}, but null if nothing is left. */
export function textOrNull(text: string): string | null {
  return cleanText(text) || null;
}

/** Whether a text is in one case throughout, as registries often write: its case then carries no information. */
export function isShouted(text: string): boolean {
  return text === text.toUpperCase() || text === text.toLowerCase();
}
