import { joinWithAnd, joinWithOr } from '../core/join-list.js';
import { closingSentence } from './closing.js';
import { besideAverages, findingText, rankText, tractsOf } from './comparison.js';
import type { TractFacts } from './facts.js';
import type { Figure } from './figures.js';
import { type Finding, localFigures, localFindings, widerFindings, widerScope } from './findings.js';
import { missingSentence } from './missing.js';
import { openingSentence, publishedValue } from './opening.js';
import { plainText } from './plain-text.js';
import { THRESHOLDS } from './thresholds.js';
import { type Domain, wordingOf } from './wording.js';

/**
 * The rule-based summary: what stands out against county, state and nation, in plain clinical language. Deterministic. It
 * states only published figures and their ranks.
 */
export function rulesText(facts: TractFacts): string {
  return plainText(rulesSentences(facts).join(' '));
}

/** The same without its last sentence, which says that the rules wrote it. */
export function rulesDraft(facts: TractFacts): string {
  return plainText(rulesSentences(facts).slice(0, -1).join(' '));
}

/** The summary's four to eight sentences. */
export function rulesSentences(facts: TractFacts): string[] {
  const findings = widerFindings(facts);
  const concerns = findings.filter(({ favorable }) => !favorable);
  const told = [
    ...ofDomain(concerns, 'social', THRESHOLDS.maxSocial),
    ...ofDomain(concerns, 'health', THRESHOLDS.maxHealth),
    ...ofDomain(concerns, 'environment', THRESHOLDS.maxEnvironment),
  ];
  const sentences = [
    openingSentence(facts),
    ...concernSentences(facts, told),
    favorableSentence(facts, findings),
    screeningSentence(facts, told),
    missingSentence(facts),
    closingSentence(facts, 'This rule-based summary'),
  ];
  return sentences.filter((sentence) => sentence !== undefined);
}

/** One to three sentences: social figures with their local comparison, health, environment; or that nothing stands out. */
function concernSentences(facts: TractFacts, told: readonly Finding[]): string[] {
  const of = (domain: Domain): Finding[] => told.filter(({ wording }) => wording.domain === domain);
  const list = (domain: Domain): string => joinWithAnd(of(domain).map((finding) => findingText(facts, finding)));
  const most = (domain: Domain): string => mostTracts(of(domain));
  const [social, health, environment] = [list('social'), list('health'), list('environment')];
  const local = localClause(facts);
  return [
    socialSentence(
      social ? `Social conditions that are less favorable than in ${most('social')}: ${social}` : '',
      local,
    ),
    health ? `Health measures that are less favorable than in ${most('health')} (modeled estimates): ${health}.` : '',
    environment ? `Environmental exposures that are higher than in ${most('environment')}: ${environment}.` : '',
    told.length > 0 ? '' : nothingStandsOut(facts),
  ].filter((sentence) => sentence !== '');
}

/** Where the local figure is a favorable one, it says so: the sentence begins with what is less favorable. */
function socialSentence(social: string, local: LocalClause | undefined): string {
  if (local === undefined) {
    const none = 'o comparison with averages of the county or state is possible';
    return social ? `${social}; n${none}.` : `N${none}.`;
  }
  if (!social) return `Locally, ${local.text}.`;
  return `${social}; ${local.isFavorable ? 'more favorably, ' : ''}locally, ${local.text}.`;
}

interface LocalClause {
  readonly text: string;
  readonly isFavorable: boolean;
}

/** Compares the figure that stands out most in county or state, or else a usual one, to the averages. */
function localClause(facts: TractFacts): LocalClause | undefined {
  const [strongest] = localFindings(facts);
  const figure = strongest?.figure ?? usualFigure(localFigures(facts));
  const beside = figure && besideAverages(facts, figure);
  if (beside === undefined) return undefined;
  if (!strongest) return { text: beside, isFavorable: false };
  return { text: `${beside} (${rankText(facts, strongest)})`, isFavorable: strongest.favorable };
}

/** The first one, but the income, which the opening tells already, only if it is the only one. */
function usualFigure(figures: readonly Figure[]): Figure | undefined {
  return figures.find(({ metric }) => metric !== 'median_household_income') ?? figures[0];
}

/**
 * Names the tracts that the statement is about: among those of its county, a figure may stand out nevertheless. It speaks only
 * of the domains of which a figure could have stood out, since of the others nothing is known that would be reassuring.
 */
function nothingStandsOut(facts: TractFacts): string {
  const judged = facts.figures.filter((figure) => {
    const isRanked = figure.percentiles[widerScope(figure)] !== null;
    return figure.value !== null && isRanked && wordingOf(figure.metric).unfavorable !== 'neither';
  });
  if (judged.length === 0) return 'No published figure can be ranked against the tracts of its state or the nation.';
  const groups = new Set(judged.map((figure) => tractsOf(facts, figure, widerScope(figure))));
  const [group = ''] = groups;
  const among = groups.size === 1 ? group : 'the largest group of tracts it is ranked with';
  const domains = new Set(judged.map(({ metric }) => wordingOf(metric).domain));
  const kinds = DOMAIN_WORDS.filter(([domain]) => domains.has(domain)).map(([, word]) => word);
  return `No ${joinWithOr(kinds)} figure is in the most unfavorable fifth of ${among}.`;
}

const DOMAIN_WORDS: readonly (readonly [Domain, string])[] = [
  ['social', 'social'],
  ['health', 'health'],
  ['environment', 'environmental'],
];

/** Uses only social and health figures, because low exposure is the normal case for most environmental indices. */
function favorableSentence(facts: TractFacts, findings: readonly Finding[]): string | undefined {
  const favorable = findings.filter((finding) => finding.favorable && finding.wording.domain !== 'environment');
  if (favorable.length === 0) return undefined;
  const told = favorable.slice(0, THRESHOLDS.maxFavorable);
  const texts = told.map((finding) => findingText(facts, finding));
  return `Measures that are more favorable than in ${mostTracts(told)}: ${joinWithAnd(texts)}.`;
}

/** Ranks among only those tracts that happen to have a value do not allow a statement about most tracts. */
function mostTracts(findings: readonly Finding[]): string {
  const isOfAll = findings.every(({ figure, scope }) => scope !== 'national' || figure.among !== 'known');
  return isOfAll ? 'most tracts' : 'most of the tracts compared';
}

function screeningSentence(facts: TractFacts, told: readonly Finding[]): string | undefined {
  const topics = [...new Set(told.flatMap(({ wording }) => wording.screening ?? []))];
  if (topics.length === 0) return undefined;
  if (publishedValue(facts, 'total_population') === 0) {
    return 'No resident is counted here, so no screening is suggested.';
  }
  const named = topics.slice(0, THRESHOLDS.maxScreeningTopics).join('; ');
  return `For patients from this area, consider asking about or screening for the following, as clinically appropriate: ${named}.`;
}

function ofDomain(findings: readonly Finding[], domain: Domain, most: number): Finding[] {
  return findings.filter(({ wording }) => wording.domain === domain).slice(0, most);
}
