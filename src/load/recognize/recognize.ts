import { readDbfHeader } from '../files/dbf.js';
import { NUL_IN_TEXT } from '../files/delimited.js';
import type { InputFiles, ShapefileSet } from '../files/discover.js';
import { mapSomeAtOnce } from '../files/map-some-at-once.js';
import { probeText } from '../files/probe.js';
import { InputError, type InputFile } from '../input.js';
import type { CountyFile } from '../sources/addrfeat/county-file.js';
import { officialAddressProduct, recognizeCounty } from '../sources/addrfeat/index.js';
import { recognizeText } from '../sources/index.js';
import type { Recognition } from '../sources/recognition.js';
import { officialProduct, recognizeShapefile, type TractShapefile } from '../sources/tiger/index.js';
import { officialPlaceProduct, type PlaceFile, recognizePlaceFile } from '../sources/tiger-place/index.js';
import type { RecognizedInput } from './recognized-input.js';
import { describeSuspect, type SuspectFile, whyNoTable, whySuspect, whyUnfinished } from './suspect-file.js';

/** Reads the beginning of every file. Throws `InputError` if one cannot be read or lacks a file that belongs to it. */
export async function recognizeFiles(files: InputFiles): Promise<RecognizedInput> {
  const texts: RecognizedInput['texts'][number][] = [];
  const shapefiles: TractShapefile[] = [];
  const counties: CountyFile[] = [];
  const places: PlaceFile[] = [];
  const refused: RecognizedInput['refused'][number][] = [];
  const { skipped } = files;
  const ignored: string[] = [...skipped];
  const suspect: SuspectFile[] = [];
  const ignoreSuspect = (file: SuspectFile): void => {
    suspect.push(file);
    ignored.push(describeSuspect(file));
  };
  const recognizedSets = await mapSomeAtOnce(files.shapefiles, async (set) => ({
    set,
    found: await recognizeSet(set),
  }));
  for (const { set, found } of recognizedSets) {
    if (!found) ignored.push(set.label);
    else if ('fault' in found) ignoreSuspect({ file: set.shp, fault: found.fault });
    else if ('refuse' in found) refused.push({ label: set.label, product: found.product, why: found.refuse });
    else if ('county' in found) counties.push(found.county);
    else if ('places' in found) places.push(found.places);
    else shapefiles.push(found.file);
  }
  const recognizedOthers = await mapSomeAtOnce(files.others, async (file) => ({
    file,
    found: await recognizeOther(file),
  }));
  for (const { file, found } of recognizedOthers) {
    if (!found) ignored.push(file.label);
    else if ('fault' in found) ignoreSuspect({ file, fault: found.fault });
    else if ('refuse' in found) refused.push({ label: file.label, product: found.product, why: found.refuse });
    else {
      if (found.doubt !== undefined) suspect.push({ file, fault: found.doubt });
      texts.push({ file, recognition: found });
    }
  }
  texts.sort((a, b) => (a.recognition.turn ?? 0) - (b.recognition.turn ?? 0));
  return { texts, shapefiles, counties, places, refused, skipped, ignored, suspect };
}

/** What a source says about a shapefile; undefined if none recognizes it. */
async function recognizeSet({ dbf, ...others }: ShapefileSet) {
  if (!dbf) {
    refuseAlone(others.label, others.name, '.dbf');
    return undefined;
  }
  const set = { ...others, dbf };
  const header = await readDbfHeader(dbf);
  return (
    (await recognizeCounty(set, header)) ??
    (await recognizePlaceFile(set, header)) ??
    (await recognizeShapefile(set, header))
  );
}

/** Recognizes a file that is not of a shapefile; if no source does, says why it is suspect, if it is. */
async function recognizeOther(file: InputFile): Promise<Recognition | Pick<SuspectFile, 'fault'> | undefined> {
  // With its .shp, it would be in a shapefile set.
  if (/\.dbf$/i.test(file.name)) refuseAlone(file.label, file.name.slice(0, -4), '.shp');
  const unfinished = whyUnfinished(file);
  if (unfinished !== undefined) return { fault: unfinished };
  const probe = await probeText(file);
  const recognition = recognizeText(probe);
  if (!recognition) {
    const fault = whySuspect(probe);
    return fault === undefined ? undefined : { fault };
  }
  const isJudged = 'judgesDamage' in recognition && probe.fault === NUL_IN_TEXT;
  const fault = isJudged ? undefined : (whyNoTable(probe) ?? probe.fault);
  if (fault !== undefined) throw new InputError(`${file.label} (${recognition.product}): cannot be read: ${fault}`);
  return recognition;
}

/** Throws `InputError` if the name, without extension, is that of a product's shapefile, of which a file is missing. */
function refuseAlone(label: string, name: string, missing: '.dbf' | '.shp'): void {
  const product = officialProduct(name) ?? officialAddressProduct(name) ?? officialPlaceProduct(name);
  if (product !== undefined) throw new InputError(`${label} (${product}): its ${missing} is missing`);
}
