import { describe, expect, it } from 'vitest';
import { latencySeries } from '../../../bench/lib/chart.js';
import { createHistogram } from '../../../bench/lib/histogram.js';
import { formatHtml } from '../../../bench/lib/html-page.js';
import type { Report } from '../../../bench/lib/report.js';
import { figure } from '../../../bench/lib/rounds.js';

const histogram = createHistogram();
for (const latency of [100, 110, 5000]) histogram.record(latency);

const report: Report = {
  environment: {
    cpu: '<b>&',
    cores: 2,
    memoryGib: 8,
    system: 'linux',
    node: 'v20.20.2',
    v8: '11',
    loadBefore: 0,
    startedAt: '2026-01-02T03:04:05.000Z',
    sampleSeconds: 2,
  },
  suites: {
    http: {
      datasets: { tracts: 'abc' },
      checks: ['answers'],
      figures: [figure('rate', '/s', [1, 2, 3], { sign: '≥', bound: 5 })],
      charts: [
        {
          title: 'Latency',
          xLabel: 'ms',
          yLabel: 'percent',
          xScale: 'log',
          style: 'bars',
          series: [latencySeries('rate', histogram.counts())],
        },
      ],
    },
  },
  consumed: 0,
};
const page = formatHtml(report);

describe('the HTML page', () => {
  it('needs no other file and no network', () => {
    expect(page).not.toMatch(/\b(?:src|href)=|@import|url\(/);
  });

  it('shows the machine, figures with their verdict, and a chart', () => {
    expect(page).toContain('&lt;b&gt;&amp;');
    expect(page).toMatch(/<th scope="row">rate<\/th><td>2 \/s<\/td><td>1 – 3<\/td><td class="missed">/);
    expect(page).toContain('<svg');
    expect(page).not.toContain('NaN');
  });
});

describe('the comparison on the page', () => {
  it('shows what makes the runs not comparable, and which figures only one of them has', () => {
    const of = { caveats: ['node: 18 before, 20 now'], changes: [], gone: ['http: <old>'], added: ['http: new'] };
    const compared = formatHtml(report, { against: 'before.json', of });
    expect(compared).toContain('<li>Not the same node: 18 before, 20 now</li>');
    expect(compared).toContain('<li>No longer measured: http: &lt;old&gt;</li>');
    expect(compared).toContain('<li>New: http: new</li>');
  });

  it('shows by how much each figure has changed', () => {
    const change = { suite: 'http', name: 'rate', unit: '/s', before: 100, after: 150, verdict: 'better' } as const;
    const of = { caveats: [], changes: [change], gone: [], added: [] };
    expect(formatHtml(report, { against: 'before.json', of })).toContain(
      '<th scope="row">http: rate</th><td>100 /s</td><td>150 /s</td><td>+50%</td><td class="better">better</td>',
    );
  });
});

describe('a latency series', () => {
  it('counts every answer once', () => {
    const { points } = latencySeries('rate', histogram.counts());
    expect(points.reduce((sum, [, percent]) => sum + percent, 0)).toBeCloseTo(100);
  });
});
