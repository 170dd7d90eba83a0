import { joinWithAnd } from '../core/join-list.js';
import type { TractFacts } from './facts.js';
import { sourceText } from './sources.js';

/** Says how a summary was written and from which sources, and that it describes no individual. */
export function closingSentence({ synthetic, sources }: TractFacts, author: string): string {
  if (synthetic) {
    return `${author} was written from synthetic demonstration data in the form of published area-level data: no figure was measured, and none describes a real place or person.`;
  }
  const named = sources.length === 0 ? '' : ` (${joinWithAnd(sources.map(sourceText))})`;
  return `${author} was written from published area-level data${named} and describes the tract as a whole, not any individual.`;
}
