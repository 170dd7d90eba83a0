import { type Geoid, parseGeoid } from '../../core/geoid.js';

/**
 * Tracts that got another code within the decade, on the same ground: with their counties (Kusilvak and Oglala Lakota in
 * 2015, the city of Bedford in 2013), or because theirs were mistaken (Madison and Oneida NY in 2011, Pima AZ in 2012).
 * First the later code, then that of 2010. Tracts whose boundaries were corrected as well are not among them.
 * https://www.census.gov/programs-surveys/acs/technical-documentation/table-and-geography-changes.html
 */
const RECODED = `
  02158000100 02270000100
  04019002704 04019002701
  04019002906 04019002903
  04019004118 04019410501
  04019004121 04019410502
  04019004125 04019410503
  04019005200 04019470400
  04019005300 04019470500
  36053030101 36053940101
  36053030102 36053940102
  36053030103 36053940103
  36053030200 36053940200
  36053030300 36053940300
  36053030401 36053940401
  36053030402 36053940700
  36053030403 36053940403
  36053030600 36053940600
  36065024700 36065940100
  36065024800 36065940000
  46102940500 46113940500
  46102940800 46113940800
  46102940900 46113940900
  51019050100 51515050100
`;

const CODES_OF_2010 = new Map(
  RECODED.trim()
    .split('\n')
    .map((line): [string, string] => {
      const [later = '', of2010 = ''] = line.trim().split(' ');
      return [later, of2010];
    }),
);

/** The GEOID that a 2010 tract had in 2010, if it got another one within the decade. */
export const codeOf2010 = (geoid: Geoid): Geoid | undefined => parseGeoid(CODES_OF_2010.get(geoid) ?? '');
