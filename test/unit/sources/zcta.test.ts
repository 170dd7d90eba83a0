import { expect, it } from 'vitest';
import { fakeFile, readInto } from '../../support/input-file.js';
import { zctaGazetteerText, zctaTractText } from '../../support/provider-files.js';
import { recordingSink } from '../../support/recording-sink.js';

const RESTORED = 'leading zero of the ZIP restored';

it('ZIPs whose leading zeros a spreadsheet has dropped are read from a gazetteer', async () => {
  const sink = recordingSink();
  const text = zctaGazetteerText(['601', 18.18, -66.75], ['1001', 42.06, -72.62], ['19901', 39, -75], ['12', 39, -75]);
  await readInto(sink, fakeFile('2024_Gaz_zcta_national.txt', text));
  const pointOf = (zip: string) => sink.providers.zipPoints.find(zip, () => undefined);
  expect(['00601', '01001', '19901'].map((zip) => pointOf(zip)?.lat)).toEqual([18.18, 42.06, 39]);
  expect(sink.onlyTally()).toMatchObject({
    notes: new Map([[RESTORED, 2]]),
    rejected: new Map([['not a ZCTA', 1]]),
  });
});

it('and from lists of the tracts in which ZIPs lie, where the tract’s state has such ZIPs', async () => {
  const sink = recordingSink();
  const text = zctaTractText(
    ['1001', '25013813205', 5],
    ['1001', '10001040100', 5],
    ['19901', '10001040100', 5],
    ['19901', '10001040200', 0],
  );
  await readInto(sink, fakeFile('tab20_zcta520_tract20_natl.txt', text));
  const point = { lat: 42, lng: -72 };
  const pointOf = (zip: string) => sink.providers.zipPoints.find(zip, () => point);
  expect([pointOf('01001'), pointOf('19901')]).toEqual([point, point]);
  expect(sink.onlyTally()).toMatchObject({
    notes: new Map([[RESTORED, 1]]),
    rejected: new Map([['not a ZIP', 1]]),
  });
});
