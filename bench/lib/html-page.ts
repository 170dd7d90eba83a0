import { type Change, type Comparison, remarksOn, shift } from './compare.js';
import { describeMachine, digits, type Report, tableCells } from './report.js';
import { type Figure, meetsTarget, type SuiteOutcome } from './suite.js';
import { escapeText, renderChart } from './svg.js';

const STYLE = `
  :root { color-scheme: light dark; font: 15px/1.45 system-ui, sans-serif; }
  body { max-width: 72rem; margin: 2rem auto; padding: 0 1rem; }
  table { border-collapse: collapse; margin: 1rem 0; font-variant-numeric: tabular-nums; }
  th, td { padding: .2rem .7rem; border-bottom: 1px solid #8884; text-align: right; }
  tbody th { font-weight: inherit; }
  th:first-child { text-align: left; }
  .missed, .worse { color: #dc2626; font-weight: 600; }
  .kept, .better { color: #059669; }
  figure { margin: 1.5rem 0; max-width: 46rem; }
  svg { width: 100%; font: 12px system-ui, sans-serif; }
  svg text { fill: currentColor; }
  .grid { stroke: #8884; }
  details { margin: .5rem 0; }`;

/** Renders the report as one self-contained page, which needs no other file and no network. */
export function formatHtml(report: Report, comparison?: { readonly against: string; readonly of: Comparison }): string {
  const sections = Object.entries(report.suites).map(([name, outcome]) => suiteSection(name, outcome));
  return [
    '<!doctype html>',
    '<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>tract-context bench, ${report.environment.startedAt.slice(0, 10)}</title><style>${STYLE}</style></head><body>`,
    `<h1>Bench</h1><p>${escapeText(describeMachine(report.environment))}</p>`,
    ...sections,
    ...(comparison ? [comparisonSection(comparison.against, comparison.of)] : []),
    '</body></html>',
  ].join('\n');
}

function suiteSection(name: string, outcome: SuiteOutcome): string {
  const heading = `<h2>${escapeText(name)}</h2>`;
  if ('skipped' in outcome) return `${heading}<p>Skipped: ${escapeText(outcome.skipped)}.</p>`;
  if ('failed' in outcome) return `${heading}<p class="missed">Failed: ${escapeText(outcome.failed)}.</p>`;
  const datasets = Object.entries(outcome.datasets).map(
    ([what, id]) => `<li>Dataset ${escapeText(`${id}: ${what}`)}</li>`,
  );
  const checks = outcome.checks.map((check) => `<li>${escapeText(check)}</li>`);
  return [
    heading,
    `<ul>${datasets.join('')}</ul><details><summary>Checked</summary><ul>${checks.join('')}</ul></details>`,
    table(['what', 'median', 'least – most', 'target'], outcome.figures.map(figureRow)),
    ...(outcome.charts ?? []).map(
      (chart) => `<figure><figcaption><b>${escapeText(chart.title)}</b></figcaption>${renderChart(chart)}</figure>`,
    ),
  ].join('\n');
}

function figureRow(entry: Figure): string {
  const met = meetsTarget(entry);
  const [what, value, range, target] = tableCells(entry).map((cell) => escapeText(cell.replaceAll('**', '')));
  const style = met === undefined ? '' : ` class="${met ? 'kept' : 'missed'}"`;
  return `<tr><th scope="row">${what}</th><td>${value}</td><td>${range}</td><td${style}>${target}</td></tr>`;
}

function comparisonSection(against: string, comparison: Comparison): string {
  const row = ({ suite, name, unit, before, after, verdict }: Change): string => {
    const shown = [before, after].map((value) => `<td>${digits(value)} ${escapeText(unit)}</td>`).join('');
    const what = escapeText(`${suite}: ${name}`);
    return `<tr><th scope="row">${what}</th>${shown}<td>${shift(before, after)}</td><td class="${verdict}">${verdict}</td></tr>`;
  };
  return [
    `<h2>Compared with ${escapeText(against)}</h2>`,
    `<ul>${remarksOn(comparison)
      .map((remark) => `<li>${escapeText(remark)}</li>`)
      .join('')}</ul>`,
    table(['what', 'before', 'now', 'change', 'verdict'], comparison.changes.map(row)),
  ].join('\n');
}

function table(headings: readonly string[], rows: readonly string[]): string {
  const head = headings.map((heading) => `<th scope="col">${heading}</th>`).join('');
  return `<table><thead><tr>${head}</tr></thead><tbody>${rows.join('\n')}</tbody></table>`;
}
