import { joinWithAnd } from '../core/join-list.js';
import { valueText } from './comparison.js';
import type { TractFacts } from './facts.js';
import type { Figure } from './figures.js';
import { THRESHOLDS } from './thresholds.js';
import { count } from './units.js';

/** Names the tract and says who lives there, as far as that is published. */
export function openingSentence(facts: TractFacts): string {
  const residents = publishedValue(facts, 'total_population');
  const age = textOf(facts, 'median_age');
  const income = textOf(facts, 'median_household_income');
  const parts = [
    ...(residents === null ? [] : [residentsText(residents)]),
    ...(age === undefined ? [] : [`a median age of ${age}`]),
    ...(income === undefined ? [] : [`a median household income of ${income}`]),
  ];
  const name = facts.name || `Census tract ${facts.geoid}`;
  if (parts.length === 0) return `${name} has no published population, age or income.`;
  const small = residents !== null && residents > 0 && residents < THRESHOLDS.smallPopulation;
  return `${name} has ${joinWithAnd(parts)}${small ? '; with so few residents, survey figures are uncertain' : ''}.`;
}

function residentsText(residents: number): string {
  if (residents === 0) return 'no counted residents';
  return `${count(residents)} ${residents === 1 ? 'resident' : 'residents'}`;
}

/** A metric's value; null if nothing is published. */
export function publishedValue(facts: TractFacts, path: string): number | null {
  return figureOf(facts, path)?.value ?? null;
}

function textOf(facts: TractFacts, path: string): string | undefined {
  const figure = figureOf(facts, path);
  return figure && valueText(figure);
}

function figureOf({ figures }: TractFacts, path: string): Figure | undefined {
  return figures.find(({ metric }) => metric === path);
}
