import { roundTo } from '../core/rounding.js';

/** Writes a value with its unit, as American readers expect it. */
export type Unit = (value: number) => string;

/** Rounded, without trailing zeros, thousands separated: `54,321`, `12.4`. `Intl` does this a hundred times slower. */
function decimal(value: number, decimals: number): string {
  const [whole = '', fraction = ''] = roundTo(value, decimals).toFixed(decimals).split('.');
  const kept = fraction.replace(/0+$/, '');
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return kept === '' ? grouped : `${grouped}.${kept}`;
}

/** Writes a positive value that would round to 0 as less than the smallest step. */
const measured =
  (decimals: number, write: (text: string) => string): Unit =>
  (value) => {
    const step = 10 ** -decimals;
    const tiny = value > 0 && value < step / 2;
    return tiny ? `less than ${write(decimal(step, decimals))}` : write(decimal(value, decimals));
  };

/** `12.4%`, from a percentage. */
export const percent: Unit = measured(1, (text) => `${text}%`);

/** `8.4 µg/m³`. */
export const amount = (unit: string, decimals: number): Unit => measured(decimals, (text) => `${text} ${unit}`);

/** The ends of the scale on which the Census Bureau publishes median incomes, and its codes for incomes beyond them. */
const INCOME_TOP = { coded: 250_001, text: '$250,000 or more' };
const INCOME_BOTTOM = { coded: 2_499, text: 'less than $2,500' };

/** `$54,321`. The codes for incomes off the published scale are spelled out. */
export const dollars: Unit = (value) => {
  if (value === INCOME_TOP.coded) return INCOME_TOP.text;
  if (value === INCOME_BOTTOM.coded) return INCOME_BOTTOM.text;
  return value < 0 ? `−$${decimal(-value, 0)}` : `$${decimal(value, 0)}`;
};

/** `4,521`. */
export const count: Unit = (value) => decimal(value, 0);
