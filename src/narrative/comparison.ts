import { joinWithAnd } from '../core/join-list.js';
import { SCOPES, type Scope } from '../core/scopes.js';
import type { TractFacts } from './facts.js';
import type { Among, Figure } from './figures.js';
import type { Finding } from './findings.js';
import { wordingOf } from './wording.js';

/**
 * Names of the tracts that national numbers refer to. Numbers of only some US tracts, because few states are loaded or many
 * tracts lack the value, must not be called national.
 */
const TRACTS: Readonly<Record<Among, string>> = {
  nation: 'US tracts',
  dataset: 'the tracts in this dataset',
  known: 'the tracts in this dataset that have this measure',
};
const WHERE: Readonly<Record<Among, string>> = {
  nation: 'nationwide',
  dataset: 'in this dataset',
  known: `over ${TRACTS.known}`,
};

/** Names the tracts of a scope, to complete "higher than in 87% of …". */
export function tractsOf(facts: TractFacts, { among }: Figure, scope: Scope): string {
  return scope === 'national' ? TRACTS[among] : `tracts in ${placeOf(facts, scope)}`;
}

/** A county or state as a sentence names it: `Albany County`, `the District of Columbia`. */
function placeOf(facts: TractFacts, scope: 'county' | 'state'): string {
  const name = facts[scope];
  if (name === '') return `its ${scope}`;
  return WITH_ARTICLE.test(name) ? `the ${name}` : name;
}

/** Names that are not used without an article. */
const WITH_ARTICLE = /^District of | (?:Islands|Planning Region)$/;

/**
 * A finding's rank: `higher than in 87% of US tracts`, `only about 12% of US tracts are lower`. Both are true even with
 * ties, because a percentile counts only tracts strictly below.
 */
export function rankText(facts: TractFacts, { figure, scope, percentile, side }: Finding): string {
  const tracts = tractsOf(facts, figure, scope);
  if (side === 'high') return `higher than in ${Math.min(99, Math.floor(percentile))}% of ${tracts}`;
  const share = percentile < 1 ? 'fewer than 1%' : `only about ${Math.round(percentile)}%`;
  return `${share} of ${tracts} are lower`;
}

/** `diagnosed diabetes (16.2% of adults; higher than in 90% of US tracts)`. */
export function findingText(facts: TractFacts, finding: Finding): string {
  const value = valueText(finding.figure);
  const rank = rankText(facts, finding);
  return `${finding.wording.label} (${value === undefined ? rank : `${value}; ${rank}`})`;
}

/** Compares a figure to the averages of its scopes: `the poverty rate is 28.4%, against tract averages of …`. */
export function besideAverages(facts: TractFacts, figure: Figure): string | undefined {
  const { label, unit } = wordingOf(figure.metric);
  const value = valueText(figure);
  const places = SCOPES.flatMap((scope) => {
    const average = figure.averages[scope];
    const where = scope === 'national' ? WHERE[figure.among] : `in ${placeOf(facts, scope)}`;
    return average === null || unit === undefined ? [] : [{ where, text: `${unit(average)} ${where}` }];
  });
  // The District of Columbia is both county and state: naming it twice would read like a mistake.
  const named = places.filter(({ where }, at) => places.findIndex((place) => place.where === where) === at);
  if (value === undefined || named.length === 0) return undefined;
  const noun = named.length === 1 ? 'a tract average' : 'tract averages';
  return `the ${label} is ${value}, against ${noun} of ${joinWithAnd(named.map(({ text }) => text))}`;
}

/** `16.2% of adults`; undefined if there is no value, or if its number would mean nothing to a reader. */
export function valueText({ metric, value }: Figure): string | undefined {
  const { unit, whole } = wordingOf(metric);
  if (value === null || unit === undefined) return undefined;
  return whole === undefined ? unit(value) : `${unit(value)} of ${whole}`;
}
