import { describe, expect, it } from 'vitest';
import { METRICS } from '../../../src/core/metrics.js';
import { SAME_TRACT_MIN_SHARE } from '../../../src/load/join/bridge.js';
import { parseSourceCatalog, readSourceCatalog } from '../../../src/load/source-catalog.js';

describe('source catalog', () => {
  it('has every source, each with a threshold between 0 and 1', () => {
    const catalog = readSourceCatalog();
    expect(Object.keys(catalog).sort()).toEqual(
      [
        ...['acs', 'addrfeat', 'cenpop', 'cms-rhc', 'ct-crosswalk', 'ejscreen', 'gazetteer', 'hrsa', 'nppes', 'places'],
        ...['provider-coordinates', 'svi', 'tiger', 'tiger-place', 'tract-relationship', 'zcta'],
      ].sort(),
    );
    for (const { maxRejectShare } of Object.values(catalog)) expect(maxRejectShare).toBeLessThanOrEqual(0.05);
  });

  it('says for every metric but the composite index which column it comes from', () => {
    const columns = Object.values(readSourceCatalog()).flatMap((entry) => entry.columns);
    const described = new Set(columns.map(({ metric }) => metric));
    const missing = METRICS.filter(({ path, section }) => section !== 'sdoh_index' && !described.has(path));
    expect(missing).toEqual([]);
  });

  it('says from which share of common ground on a value moves from a 2010 tract to a 2020 tract', () => {
    expect(readSourceCatalog()['tract-relationship'].rule).toContain(`at least ${SAME_TRACT_MIN_SHARE * 100}%`);
  });

  it('fails with origin and place on a threshold beyond 1 and on a source that is not there', () => {
    const { svi, ...others } = readSourceCatalog();
    const tooHigh = JSON.stringify({ ...others, svi: { ...svi, maxRejectShare: 2 } });
    expect(() => parseSourceCatalog(tooHigh, 'here')).toThrow(/^here: [\s\S]*svi\.maxRejectShare/);
    expect(() => parseSourceCatalog(JSON.stringify(others), 'here')).toThrow(/svi/);
  });
});
