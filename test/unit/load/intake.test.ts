import { describe, expect, it } from 'vitest';
import { Intake, type LoadFilter } from '../../../src/load/intake/intake.js';
import { tractOf } from '../../support/layers.js';

const ALL: LoadFilter = { territories: false };
const DE = '10001040100';
const NEW_DE = '10001040101';
const DC = '11001000101';

const geoids = (intake: Intake): string[] => intake.tracts().map(({ geoid }) => geoid);

function addAll(intake: Intake, year: number, tracts: readonly string[]): void {
  const tally = intake.tally('gazetteer', `Gazetteer ${year}`);
  for (const geoid of tracts) {
    tally.read++;
    intake.addTract(tractOf(geoid), year, tally);
  }
}

describe('gazetteers', () => {
  it.each([
    ['older first', [2022, 2023]],
    ['newer first', [2023, 2022]],
  ])('of two years: each state’s tracts are those of its newest, %s, and the others’ rows are left out', (_, years) => {
    const intake = new Intake(ALL);
    for (const year of years) addAll(intake, year, year === 2023 ? [NEW_DE] : [DE, DC]);
    expect(geoids(intake)).toEqual([NEW_DE, DC]);
    const older = intake.tally('gazetteer', 'Gazetteer 2022');
    expect(Object.fromEntries(older.leftOut)).toEqual({ 'newer gazetteer loaded': 1 });
    expect(older.kept).toBe(1);
    expect(intake.tally('gazetteer', 'Gazetteer 2023').kept).toBe(1);
  });

  it('of one year in two files keep a tract once', () => {
    const intake = new Intake(ALL);
    addAll(intake, 2023, [DE, DC]);
    addAll(intake, 2023, [DE]);
    expect(geoids(intake)).toEqual([DE, DC]);
    expect(intake.tally('gazetteer', 'Gazetteer 2023')).toMatchObject({ read: 3, kept: 2, rejectedRows: 0 });
  });

  it('of one year that contradict each other are told apart: the first row of a tract counts, others are rejected', () => {
    const intake = new Intake(ALL);
    addAll(intake, 2023, [DE]);
    const other = intake.tally('gazetteer', 'Gazetteer 2023', 'other.txt');
    for (const changed of [{ lat: 38 }, { lng: -70 }, { landSqm: 5 }, { waterSqm: 5 }]) {
      other.read++;
      intake.addTract({ ...tractOf(DE), ...changed }, 2023, other);
    }
    expect(intake.tracts()).toEqual([tractOf(DE)]);
    expect(Object.fromEntries(other.rejected)).toEqual({ 'in another gazetteer of the year with other values': 4 });
  });

  it('give tracts in GEOID order, whatever the order of the rows', () => {
    const intake = new Intake(ALL);
    addAll(intake, 2023, [DC, DE]);
    expect(geoids(intake)).toEqual([DE, DC]);
  });

  it('make way in states where they list tracts, not where an outline alone made one', () => {
    const intake = new Intake(ALL);
    intake.addOutlinedTract(tractOf(DE));
    addAll(intake, 2023, [DC]);
    expect([geoids(intake), intake.hasGazetteer('10'), intake.hasGazetteer('11')]).toEqual([[DE, DC], false, true]);
  });
});

describe('states', () => {
  it.each([
    [ALL, undefined, 'territory'],
    [{ territories: true }, undefined, undefined],
    [{ states: new Set(['10']), territories: false }, undefined, 'other state'],
    [{ states: new Set(['10']), territories: true }, undefined, 'other state'],
    [{ states: new Set(['10', '72']), territories: false }, undefined, undefined],
  ] as const)('by the filter %o: Delaware is %s, Puerto Rico %s', (filter, delaware, puertoRico) => {
    const intake = new Intake(filter);
    expect([intake.leaveOut('10'), intake.leaveOut('72')]).toEqual([delaware, puertoRico]);
  });
});

describe('county names', () => {
  it('are those of the source that is trusted most, the first among equals', () => {
    const intake = new Intake(ALL);
    intake.addCountyName('10001', 'kent', 1);
    intake.addCountyName('10001', 'Kent County', 5);
    intake.addCountyName('10001', 'KENT', 5);
    expect([intake.countyName('10001'), intake.countyName('10003')]).toEqual(['Kent County', '']);
  });
});
