import { isOneSlipAway } from '../slips.js';

/**
 * Street types with their spellings: the standard abbreviation, then the full word (but not in `PARK PRK`, `LOOP LOOPS`
 * and a few more), then others. From USPS Publication 28, appendix C1, with what the Census Bureau and people write
 * besides. https://pe.usps.com/text/pub28/28apc_002.htm
 */
const SPELLINGS = `
ALY ALLEY ALLEE ALLY|ANX ANNEX ANEX ANNX|ARC ARCADE|ARCH ARCH|AVE AVENUE AV AVEN AVENU AVN AVNUE|BYU BAYOU BAYOO|BCH BEACH
BND BEND|BLF BLUFF BLUF|BLFS BLUFFS|BTM BOTTOM BOT BOTTM|BLVD BOULEVARD BOUL BOULV BLVRD|BR BRANCH BRNCH|BRG BRIDGE BRDGE
BRK BROOK|BRKS BROOKS|BYP BYPASS BYPA BYPAS BYPS|CP CAMP CMP|CYN CANYON CANYN CNYN|CPE CAPE|CSWY CAUSEWAY CAUSWA
CTR CENTER CENT CENTR CENTRE CNTER CNTR|CTRS CENTERS|CIR CIRCLE CIRC CIRCL CRCL CRCLE|CIRS CIRCLES|CLF CLIFF|CLFS CLIFFS
CLB CLUB|CMN COMMON|CMNS COMMONS|COR CORNER|CORS CORNERS|CRSE COURSE CRS|CT COURT|CTS COURTS|CV COVE|CVS COVES|CRK CREEK
CRES CRESCENT CRSENT CRSNT|CRST CREST|XING CROSSING CRSSNG|XRD CROSSROAD|XRDS CROSSROADS XROAD XROADS|CURV CURVE|DL DALE|DM DAM
DV DIVIDE DIV DVD|DR DRIVE DRIV DRV|DRS DRIVES|EST ESTATE|ESTS ESTATES|EXPY EXPRESSWAY EXPR EXPRESS EXPW EXPWY
EXT EXTENSION EXTN EXTNSN|FALL FALL|FLS FALLS|FRY FERRY FRRY|FLD FIELD|FLDS FIELDS|FLT FLAT|FLTS FLATS|FRD FORD|FRDS FORDS
FRST FOREST FORESTS|FRG FORGE FORG|FRK FORK|FRKS FORKS|FT FORT FRT|FWY FREEWAY FREEWY FRWAY FRWY|GDN GARDEN GARDN GRDEN GRDN
GDNS GARDENS GRDNS|GTWY GATEWAY GATEWY GATWAY GTWAY|GLN GLEN|GLNS GLENS|GRN GREEN|GRNS GREENS|GRV GROVE GROV|GRVS GROVES
HBR HARBOR HARB HARBR HRBOR|HBRS HARBORS|HVN HAVEN|HTS HEIGHTS HT|HWY HIGHWAY HIGHWY HIWAY HIWY HWAY|HL HILL|HLS HILLS
HOLW HOLLOW HLLW HOLLOWS HOLWS|INLT INLET|IS ISLAND ISLND|ISS ISLANDS|ISLE ISLES|JCT JUNCTION JCTION JCTN JUNCTN|KY KEY
KYS KEYS|KNL KNOLL KNOL|KNLS KNOLLS|LK LAKE|LKS LAKES|LAND LAND|LNDG LANDING LNDNG|LN LANE|LGT LIGHT|LCK LOCK|LCKS LOCKS
LDG LODGE LDGE LODG|LOOP LOOPS|MALL MALL|MNR MANOR|MNRS MANORS|MDW MEADOW|MDWS MEADOWS MEDOWS|MEWS MEWS|ML MILL|MLS MILLS
MSN MISSION MISSN MSSN|MTWY MOTORWAY|MT MOUNT|MTN MOUNTAIN MNTAIN MNTN MOUNTIN MTIN MNT|MTNS MOUNTAINS|NCK NECK
ORCH ORCHARD ORCHRD|OVAL OVL|OPAS OVERPASS|PARK PRK|PKWY PARKWAY PARKWY PKWAY PKY PARKWAYS PKWYS|PASS PASS|PSGE PASSAGE
PATH PATHS|PATHWAY PATHWAY|PIKE PIKES|PNE PINE|PNES PINES|PL PLACE|PLN PLAIN|PLNS PLAINS|PLZ PLAZA PLZA|PT POINT
PTS POINTS|PRT PORT|PR PRAIRIE PRR|RADL RADIAL RAD RADIEL|RAMP RAMP|RNCH RANCH RANCHES RNCHS|RPD RAPID|RPDS RAPIDS|RST REST
RDG RIDGE RDGE|RDGS RIDGES|RIV RIVER RVR RIVR|RD ROAD|RDS ROADS|RTE ROUTE|ROW ROW|RUE RUE|RUN RUN|SHL SHOAL|SHLS SHOALS
SHR SHORE SHOAR|SHRS SHORES SHOARS|SKWY SKYWAY|SPG SPRING SPNG SPRNG|SPGS SPRINGS SPNGS SPRNGS|SPUR SPURS
SQ SQUARE SQR SQRE SQU|SQS SQUARES|STA STATION STATN STN|STRA STRAVENUE STRAV STRVN|STRM STREAM STREME|ST STREET STRT STR
STS STREETS|SMT SUMMIT SUMIT SUMITT|TER TERRACE TERR|TRWY THROUGHWAY|TRCE TRACE TRACES|TRAK TRACK TRACKS TRK|TRFY TRAFFICWAY
TRL TRAIL TRAILS TRLS|TUNL TUNNEL|TPKE TURNPIKE TRNPK TURNPK|UPAS UNDERPASS|UN UNION|VLY VALLEY VALLY VLLY|VLYS VALLEYS
VIA VIADUCT VDCT VIADCT|VW VIEW|VWS VIEWS|VLG VILLAGE VILL VILLAG VILLG VILLIAGE|VL VILLE|VIS VISTA VIST VST VSTA|WALK WALKS
WALL WALL|WAY WY|WAYS WAYS|WL WELL|WLS WELLS`;

const GROUPS = SPELLINGS.trim()
  .split(/[|\n]/)
  .map((group) => group.split(' '));

const STANDARD: ReadonlyMap<string, string> = new Map(
  GROUPS.flatMap((group) => group.map((word) => [word, group[0] ?? word] as const)),
);

/** Titles and a first name of people that streets are named after, abbreviated. `Dr` is not one: it is a drive. */
const TITLES = `ADM ADMIRAL|CAPT CAPTAIN|COL COLONEL|GEN GENERAL|GOV GOVERNOR|LT LIEUTENANT|MAJ MAJOR|PRES PRESIDENT
PVT PRIVATE|SGT SERGEANT|WM WILLIAM`
  .split(/[|\n]/)
  .map((entry) => entry.split(' '));

/**
 * How the Census Bureau's files abbreviate words that the Postal Service does not: TIGER/Line technical documentation,
 * feature name types. Spanish ones precede the name: `Cll Real`, and `Ave de la Playa` for an avenida.
 */
const CENSUS_WORDS =
  `ACDMY ACADEMY|AERO AEROPUERTO|ARPRT AIRPORT|AVDA AVENUE|AVENIDA AVENUE|BK BANK|CAM CAMINO|CARR CARRETERA
CER CERRADA|CHNNL CHANNEL|CIRCULO CIRCLE|CLL CALLE|CMPGRND CAMPGROUND|CMPS CAMPUS|CMT CAMINITO|CMTRY CEMETERY|CMTY COMMUNITY
CNL CANAL|COLG COLLEGE|CPL CHAPEL|DRN DRAIN|EDIF EDIFICIO|ENT ENTRADA|FRM FARM|GRGE GARAGE|HM HOME|HME HOME|HOSP HOSPITAL
HSE HOUSE|HSNG HOUSING|INDL INDUSTRIAL|INST INSTITUTE|LBRY LIBRARY|MEML MEMORIAL|MNMT MONUMENT|MRNA MARINA|MUS MUSEUM
NATL NATIONAL|ORCHRDS ORCHARDS|PK PRK|PLA PLACITA|PLNT PLANT|PSO PASEO|QBDA QUEBRADA|RCH RANCHO|RESRT RESORT|RLWY RAILWAY
SCHL SCHOOL|SEC SECTOR|SMRY SEMINARY|SND SOUND|STRP STRIP|SVC SERVICE|TMPL TEMPLE|TRMNL TERMINAL|TWR TOWER|UNIV UNIVERSITY
VER VEREDA`
    .split(/[|\n]/)
    .map((entry) => entry.split(' '));

/**
 * Street types that are not abbreviated, by the spelling that keys have: `PARK` by `PRK`. Within a name they are no
 * different from other words only if they are in full again: `Park Side` and `Parkside`.
 */
const IN_FULL: ReadonlyMap<string, string> = new Map(
  ['ISLE', 'LOOP', 'OVAL', 'PARK', 'PATH', 'PIKE', 'SPUR', 'WALK', 'WAY'].map((word) => {
    const group = GROUPS.find(([short]) => short === word);
    return [group?.[1] ?? word, word] as const;
  }),
);

/** Words in full, by abbreviation. Within a name `St` is a saint, since a street's type is at its end. */
const WHOLE: ReadonlyMap<string, string> = new Map([
  ...[...CENSUS_WORDS, ...TITLES].map(([short = '', whole = short]) => [short, whole] as const),
  ...GROUPS.flatMap((group) => group.map((word) => [word, group[1] ?? word] as const)),
  ['ST', 'SAINT'],
]);

/** The standard abbreviation of a word that is a street type: `AVENUE` is `AVE`; undefined for other words. */
export function streetType(word: string): string | undefined {
  return STANDARD.get(word);
}

/** Whether a word is a street type, abbreviated or not: `AVENUE`, `AVE`. It may be a word of a name, too: `HILL`. */
export const isStreetType = (word: string): boolean => STANDARD.has(word);

/** Street types that no city has in its name. */
const ROADS = new Set('AVE BLVD CT DR HWY LN PKWY RD'.split(' '));

/** Street types that people mistake for each other; others, such as `Hill` and `Run`, may be words of a name. */
const PLAIN_TYPES = new Set([
  ...ROADS,
  ...'ALY BYP CIR CRES CV EXPY EXT FWY LOOP PATH PIKE PL PLZ'.split(' '),
  ...'RDS ROW ST STS TER TPKE TRCE TRL WALK WAY WAYS'.split(' '),
]);

/** Whether a word is a street type that never ends a place's name: `AVENUE`, but not `PARK` or `ST`. */
export function isRoad(word: string): boolean {
  return ROADS.has(streetType(word) ?? '');
}

/**
 * Whether a word at the end of a street must be its type and not part of its name: `RD` or `ST`, but not `RUN`, since
 * `Bear Run` may lack its `Rd`.
 */
export const isStreetEnd = (word: string): boolean => isRoad(word) || streetType(word) === 'ST';

/** Whether a standard abbreviation says only that something is a street: `ST`, but not `HL`. */
export const isPlainType = (type: string): boolean => PLAIN_TYPES.has(type);

/** A word within a street's name in full, as keys have it, so that `Mtn View` and `Mountainview` are the same. */
export function wholeWord(word: string): string {
  return WHOLE.get(word) ?? word;
}

/** The same with every word in full, for comparing names in spite of spaces: `PARK`, for which keys have `PRK`. */
export function wordInFull(word: string): string {
  const whole = wholeWord(word);
  return IN_FULL.get(whole) ?? whole;
}

/** Of at least four letters: `Way` is one typo away from many a name. */
const LONG_IN_FULL = [...IN_FULL.values()].filter((word) => word.length >= 4);

/** The street types that keys do not have in full and that a word is one typo away from: `PARK` for `PARL`. */
export const typesInFullLike = (word: string): string[] =>
  isStreetType(word) ? [] : LONG_IN_FULL.filter((type) => isOneSlipAway(word, type));

/** Street types long enough to be recognized at the end of a word. */
const WHOLE_AT_END = new RegExp(
  `^(.{3,}?)(${GROUPS.flatMap(([, whole = '']) => [whole, IN_FULL.get(whole) ?? ''])
    .filter((word) => word.length >= 4)
    .join('|')})$`,
);

/** Splits a word that ends with a street type: `LAKEVIEW` is `LAKE` and `VIEW`; undefined for others. */
export function splitOffType(word: string): readonly [name: string, type: string] | undefined {
  const [, name, type] = WHOLE_AT_END.exec(word) ?? [];
  return name === undefined || type === undefined ? undefined : [name, type];
}

/** Spellings of plain street types that are too short for {@link splitOffType}; they also end many other words. */
const SHORT_AT_END = new RegExp(
  `^(.{3,}?)(${GROUPS.filter(([short = '']) => isPlainType(short) || short === 'RUN')
    .flat()
    .filter((word) => word.length > 1)
    .join('|')})$`,
);

/**
 * Splits a word that ends with a street type's abbreviation: `HOWELLST` is `HOWELL` and `ST`; undefined for others. The
 * word may as well be a name of its own, such as `FOREST`.
 */
export function splitOffShortType(word: string): readonly [name: string, type: string] | undefined {
  const [, name, type] = SHORT_AT_END.exec(word) ?? [];
  return name === undefined || type === undefined ? undefined : [name, type];
}

/** Every spelling of every street type; none is one of two types. */
export const TYPE_SPELLINGS: readonly string[] = GROUPS.flatMap((group) => [...new Set(group)]);
