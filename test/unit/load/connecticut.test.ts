import { describe, expect, it } from 'vitest';
import { compileFiles } from '../../support/compiled-outlines.js';
import { accountOf } from '../../support/loading.js';
import { CB_COLUMNS, crosswalkText, tractShapefile } from '../../support/official-files.js';

describe('Connecticut by outlines alone', () => {
  const county = [{ geoid: '09001010101', west: -73, south: 41 }];
  const region = [{ geoid: '09190010101', west: -73, south: 41.5 }];
  const columns = { columns: CB_COLUMNS };
  it('has the names of the newest product, and no tract twice, where no crosswalk is loaded', async () => {
    for (const newest of ['cb_2023_09_tract_500k', 'tl_2022_09_tract']) {
      const { outcome, geoids } = await compileFiles({
        ...tractShapefile('tl_2020_09_tract', county),
        ...tractShapefile(newest, region, columns),
      });
      expect(geoids).toEqual([9190010101]);
      expect(accountOf(outcome, 'TIGER/Line 2020').leftOut).toEqual({
        'Connecticut county tract, and the input has no Connecticut crosswalk': 1,
      });
    }
  });

  it('has its planning regions where two products of a year differ, whichever comes first', async () => {
    for (const [first, second] of [
      [county, region],
      [region, county],
    ] as const) {
      const { geoids } = await compileFiles({
        ...tractShapefile('cb_2022_09_tract_500k', first, columns),
        ...tractShapefile('tl_2022_09_tract', second),
      });
      expect(geoids).toEqual([9190010101]);
    }
  });

  it('moves older outlines by the crosswalk, where the better one wins', async () => {
    const { outcome, geoids, souths } = await compileFiles({
      ...tractShapefile('tl_2020_09_tract', county),
      ...tractShapefile('cb_2023_09_tract_500k', region, columns),
      'ct_2022tractcrosswalk.csv': crosswalkText({ '09001010101': '09190010101' }),
    });
    expect([geoids, souths]).toEqual([[9190010101], [41]]);
    expect(accountOf(outcome, 'Cartographic boundaries 2023, 1:500,000').leftOut).toEqual({
      'better outline in TIGER/Line 2020': 1,
    });
  });

  it('keeps its counties where no newer outline is loaded', async () => {
    const { geoids } = await compileFiles({
      ...tractShapefile('tl_2020_09_tract', county),
      'ct_2022tractcrosswalk.csv': crosswalkText({ '09001010101': '09190010101' }),
    });
    expect(geoids).toEqual([9001010101]);
  });
});
