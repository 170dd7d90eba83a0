import { tractFacts } from '../narrative/facts.js';
import type { Narrator } from '../narrative/narrator.js';
import type { Generation } from './generation.js';

/** The summary of the tract in a row. It knows nothing of the request. */
export type Narrate = (generation: Generation, row: number) => Promise<string>;

/** The facts are copies: while a summary is written, the dataset may be closed. */
export function createNarration(narrator: Narrator): Narrate {
  return ({ dataset, distributions }, row) => narrator.summarize(tractFacts(dataset, row, distributions));
}
