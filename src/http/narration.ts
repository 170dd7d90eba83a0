import { tractFacts } from '../narrative/facts.js';
import type { Narrator } from '../narrative/narrator.js';
import type { Generation } from './generation.js';

/** Writes the clinical summary of the tract in a row, from its record alone: nothing of the request goes into it. */
export type Narrate = (generation: Generation, row: number) => Promise<string>;

/** The narrator gets copies of the facts, because the dataset may be closed while the summary is being written. */
export function createNarration(narrator: Narrator): Narrate {
  return ({ dataset }, row) => narrator.summarize(tractFacts(dataset, row));
}
