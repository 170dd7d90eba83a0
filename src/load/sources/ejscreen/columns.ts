import type { ColumnNames } from '../columns.js';

/** A metric and the EJScreen column that it is taken from. */
export interface EjscreenColumn {
  readonly path: string;
  readonly name: string;
  /** Published as a fraction from 0 to 1, served as a percentage. */
  readonly fraction?: true;
  /** The last release that has the column. */
  readonly until?: number;
}

/** Each year's list of columns is at https://www.epa.gov/ejscreen/download-ejscreen-data. */
export const EJSCREEN_COLUMNS: readonly EjscreenColumn[] = [
  { path: 'epa_data.pm25', name: 'PM25' },
  { path: 'epa_data.ozone', name: 'OZONE' },
  { path: 'epa_data.diesel_pm', name: 'DSLPM' },
  { path: 'epa_data.air_toxics_cancer_risk', name: 'CANCER', until: 2023 },
  { path: 'epa_data.respiratory_hazard_index', name: 'RESP', until: 2023 },
  { path: 'epa_data.traffic_proximity', name: 'PTRAF' },
  { path: 'epa_data.lead_paint_pct', name: 'PRE1960PCT', fraction: true },
  { path: 'epa_data.superfund_proximity', name: 'PNPL' },
  { path: 'epa_data.rmp_proximity', name: 'PRMP' },
  { path: 'epa_data.hazardous_waste_proximity', name: 'PTSDF' },
  { path: 'epa_data.wastewater_discharge', name: 'PWDIS' },
];

/** The columns' names as `requireColumns` takes them, by the metrics' paths. */
export const ejscreenNames = (columns: readonly EjscreenColumn[]): Readonly<Record<string, ColumnNames>> =>
  Object.fromEntries(columns.map(({ path, name }) => [path, [name]]));
