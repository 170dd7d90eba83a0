import type { Chart, Series } from './chart.js';

const WIDTH = 720;
const HEIGHT = 320;
const LEFT = 70;
const RIGHT = 16;
const TOP = 12;
const BOTTOM = 44;
const LEGEND_LINE = 18;
const COLORS = ['#2563eb', '#dc2626', '#059669', '#d97706', '#7c3aed', '#0891b2', '#4b5563'];
const TICKS = 5;

interface Axis {
  /** The position of a value, in pixels. */
  readonly place: (value: number) => number;
  readonly ticks: readonly number[];
}

/** Renders a chart as a self-contained SVG element. */
export function renderChart(chart: Chart): string {
  const points = chart.series.flatMap((series) => series.points);
  const xs = points.map(([x]) => x);
  const ys = points.map(([, y]) => y);
  const x = (chart.xScale === 'log' ? logAxis : linearAxis)(xs, LEFT, WIDTH - RIGHT);
  const y = linearAxis([0, ...ys], HEIGHT - BOTTOM, TOP);
  const height = HEIGHT + LEGEND_LINE * Math.ceil(chart.series.length / 2);
  return [
    `<svg viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${escapeText(chart.title)}">`,
    ...y.ticks.map((tick) => grid(LEFT, WIDTH - RIGHT, y.place(tick), tick)),
    ...x.ticks.map((tick) => text(x.place(tick), HEIGHT - BOTTOM + 16, format(tick), 'middle')),
    text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 8, chart.xLabel, 'middle'),
    `<text transform="translate(14 ${(TOP + HEIGHT - BOTTOM) / 2}) rotate(-90)" text-anchor="middle">${escapeText(chart.yLabel)}</text>`,
    ...chart.series.map((series, index) => drawSeries(series, chart.style, colorOf(index), x, y)),
    ...chart.series.map(({ name }, index) => legend(name, index)),
    '</svg>',
  ].join('\n');
}

function drawSeries({ name, points }: Series, style: Chart['style'], color: string, x: Axis, y: Axis): string {
  const steps = points.flatMap(([at, value], index) => {
    const next = points[index + 1]?.[0] ?? at;
    const spots = style === 'bars' ? [at, next] : [at];
    return spots.map((spot) => `${pixel(x.place(spot))},${pixel(y.place(value))}`);
  });
  const dots = points.map(
    ([at, value]) =>
      `<circle cx="${pixel(x.place(at))}" cy="${pixel(y.place(value))}" r="${style === 'bars' ? 1.5 : 3}" fill="${color}"><title>${escapeText(name)}: ${format(at)} → ${format(value)}</title></circle>`,
  );
  return `<polyline points="${steps.join(' ')}" fill="none" stroke="${color}" stroke-width="2"/>${dots.join('')}`;
}

function legend(name: string, index: number): string {
  const x = LEFT + (index % 2) * 320;
  const y = HEIGHT + Math.floor(index / 2) * LEGEND_LINE + 8;
  return `<rect x="${x}" y="${y - 8}" width="10" height="10" fill="${colorOf(index)}"/>${text(x + 16, y + 1, name, 'start')}`;
}

function grid(from: number, to: number, y: number, tick: number): string {
  const line = `<line x1="${from}" x2="${to}" y1="${pixel(y)}" y2="${pixel(y)}" class="grid"/>`;
  return `${line}${text(from - 6, y + 4, format(tick), 'end')}`;
}

function linearAxis(values: readonly number[], from: number, to: number): Axis {
  const least = Math.min(...values);
  const most = Math.max(...values, least + Number.EPSILON);
  const step = niceStep((most - least) / TICKS);
  const ticks: number[] = [];
  for (let tick = Math.ceil(least / step); tick * step <= most; tick++) ticks.push(tick * step);
  return { place: (value) => from + ((value - least) / (most - least)) * (to - from), ticks };
}

function logAxis(values: readonly number[], from: number, to: number): Axis {
  const least = Math.log2(Math.min(...values));
  const most = Math.max(Math.log2(Math.max(...values)), least + 1);
  const step = Math.max(1, Math.ceil((most - least) / 8));
  const ticks: number[] = [];
  for (let tick = Math.ceil(least); tick <= most; tick += step) ticks.push(2 ** tick);
  return { place: (value) => from + ((Math.log2(value) - least) / (most - least)) * (to - from), ticks };
}

/** The smallest of 1, 2, 5 or 10 times a power of ten that is at least `least`. */
function niceStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least));
  return ([1, 2, 5].find((factor) => factor * power >= least) ?? 10) * power;
}

const colorOf = (index: number): string => COLORS[index % COLORS.length] ?? 'black';
const pixel = (value: number): string => value.toFixed(1);
const format = (value: number): string =>
  Number(value.toPrecision(3)).toLocaleString('en-US', { maximumFractionDigits: 4 });

function text(x: number, y: number, content: string, anchor: string): string {
  return `<text x="${pixel(x)}" y="${pixel(y)}" text-anchor="${anchor}">${escapeText(content)}</text>`;
}

/** Escapes text for use in an element or a double-quoted attribute. */
export function escapeText(content: string): string {
  return content.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
