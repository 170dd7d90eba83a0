/**
 * Words of street names with their standard abbreviations, from USPS Publication 28, appendices B (directionals) and C
 * (suffixes, the common ones with the spellings that people use). https://pe.usps.com/text/pub28/welcome.htm
 */
const ABBREVIATIONS = `
N NORTH|S SOUTH|E EAST|W WEST|NE NORTHEAST|NW NORTHWEST|SE SOUTHEAST|SW SOUTHWEST
ALY ALLEY ALLEE ALLY|AVE AVENUE AV AVEN AVENU AVN|BCH BEACH|BND BEND|BLVD BOULEVARD BOUL BOULV|BR BRANCH|BRG BRIDGE
BRK BROOK|BYP BYPASS|CSWY CAUSEWAY|CTR CENTER CENTRE CENT|CIR CIRCLE CIRC CRCL|CMN COMMON|COR CORNER|CT COURT|CV COVE
CRK CREEK|CRES CRESCENT|XING CROSSING|XRD CROSSROAD|DR DRIVE DRV DRIV|EST ESTATE|ESTS ESTATES|EXPY EXPRESSWAY EXPWY
EXT EXTENSION|FLS FALLS|FRY FERRY|FLD FIELD|FLDS FIELDS|FRST FOREST|FRK FORK|FWY FREEWAY|GDN GARDEN|GDNS GARDENS
GTWY GATEWAY|GLN GLEN|GRN GREEN|GRV GROVE|HBR HARBOR|HTS HEIGHTS|HWY HIGHWAY HIWAY HIWY|HL HILL|HLS HILLS|HOLW HOLLOW
IS ISLAND|JCT JUNCTION|KNL KNOLL|LK LAKE|LKS LAKES|LNDG LANDING|LN LANE|LDG LODGE|MNR MANOR|MDW MEADOW|MDWS MEADOWS
ML MILL|MT MOUNT|MTN MOUNTAIN|ORCH ORCHARD|PKWY PARKWAY PKY PARKWY|PLZ PLAZA|PL PLACE|PLN PLAIN|PT POINT|PRT PORT
RNCH RANCH|RDG RIDGE|RIV RIVER|RD ROAD|RTE ROUTE|SHR SHORE|SPG SPRING|SPGS SPRINGS|SQ SQUARE|STA STATION
ST STREET STR STRT SAINT|SMT SUMMIT|TER TERRACE TERR|TRCE TRACE|TRL TRAIL|TPKE TURNPIKE|UN UNION|VLY VALLEY|VW VIEW
VLG VILLAGE|VIS VISTA|WAY WY|WL WELL|WLS WELLS`;

const STANDARD: ReadonlyMap<string, string> = new Map(
  ABBREVIATIONS.trim()
    .split(/[|\n]/)
    .flatMap((entry) => {
      const [standard = '', ...others] = entry.split(' ');
      return others.map((word) => [word, standard] as const);
    }),
);

/** Words that a part of a building follows: an apartment, a suite (USPS Publication 28, appendix C2). */
export const UNIT_WORDS: ReadonlySet<string> = new Set(
  '# APT APARTMENT BLDG BUILDING BSMT DEPT FL FLOOR FRNT LOT LOWR NO OFC PH REAR RM ROOM SPC STE SUITE TRLR UNIT UPPR'.split(
    ' ',
  ),
);

/**
 * The form in which street names are compared: upper case, words in standard abbreviations, single spaces, no
 * punctuation. `North Samplewood Avenue` and `n. samplewood av` are both `N SAMPLEWOOD AVE`.
 */
export function streetKey(street: string): string {
  return plainWords(street)
    .map((word) => STANDARD.get(word) ?? word)
    .join(' ');
}

/** The form in which cities are compared: as {@link streetKey}, but no word is abbreviated. */
export function cityKey(city: string): string {
  return plainWords(city).join(' ');
}

/** Upper-case words of letters A–Z and digits; accents are dropped, and everything else separates. O(length). */
function plainWords(text: string): string[] {
  return foldText(text).match(/[A-Z0-9]+/g) ?? [];
}

/** Upper case without accents, full stops and apostrophes. */
export function foldText(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/[\p{M}.'’]/gu, '')
    .toUpperCase();
}
