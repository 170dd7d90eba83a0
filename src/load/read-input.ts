import { refuseShiftedPoints } from './checks/center-check.js';
import { createOutlineRepeats, type OutlineRepeats } from './checks/outline-repeats.js';
import { createPointCheck, type PointCheck } from './checks/point-check.js';
import type { Intake } from './intake/intake.js';
import { createBridge } from './join/bridge.js';
import { outlinedTracts } from './join/known-tracts.js';
import { internalPoint } from './outlines/internal-point.js';
import type { OutlineWork } from './outlines/outline-work.js';
import type { ReadShapes } from './outlines/shape-reader.js';
import type { Progress } from './progress.js';
import type { RecognizedInput } from './recognize/recognized-input.js';
import type { SourceId } from './source-id.js';
import { chooseOutlines, readOutlines, type TakeTract } from './sources/tiger/index.js';

/** Sources of the tracts and of their renamings: once these are read, it is known which outlines are wanted. */
const TELL_TRACTS: ReadonlySet<SourceId> = new Set(['gazetteer', 'ct-crosswalk', 'tract-relationship']);

/** Reads the tables and, concurrently with the later ones, the outlines. If both fail, the tables' error is thrown. */
export async function readInput(
  input: RecognizedInput,
  intake: Intake,
  { openReader }: Pick<OutlineWork, 'openReader'>,
  progress: Progress,
): Promise<void> {
  const { texts } = input;
  const first = texts.findLastIndex(({ recognition }) => TELL_TRACTS.has(recognition.source)) + 1;
  const readTable = tableReader(texts, intake, progress);
  for (const text of texts.slice(0, first)) await readTable(text);
  const reader = openReader();
  try {
    const outlines = beginShapefiles(input, intake, reader.read);
    for (const text of texts.slice(first)) await readTable(text);
    await outlines.finish(progress);
  } finally {
    await reader.close();
  }
  checkCenters(intake);
  refuseShiftedPoints(intake);
  // Outlines were begun before the later tables, but are reported last.
  intake.moveTalliesLast('tiger');
}

type RecognizedText = RecognizedInput['texts'][number];

function tableReader(
  texts: readonly RecognizedText[],
  intake: Intake,
  progress: Progress,
): (text: RecognizedText) => Promise<void> {
  const total = texts.reduce((sum, { file }) => sum + file.sizeBytes, 0);
  let done = 0;
  return async ({ file, recognition }) => {
    await recognition.read(intake);
    done += file.sizeBytes;
    progress.step('reading tables', done, total);
  };
}

/** Starts reading the outlines. `finish` waits until they are read; progress is reported only once it has been called. */
function beginShapefiles(
  input: RecognizedInput,
  intake: Intake,
  readShapes: ReadShapes,
): { finish(progress: Progress): Promise<void> } {
  const bridge = createBridge(intake, outlinedTracts(intake, input.shapefiles));
  const choices = chooseOutlines(input.shapefiles, intake, (geoid) => bridge.resolve(geoid, 2020));
  const points = createPointCheck('internal points');
  const repeats = createOutlineRepeats();
  const total = input.shapefiles.length;
  let done = 0;
  let tell: Progress | undefined;
  // `done` may exceed `total`: a file is opened again when one of its outlines replaces a broken one.
  const onFile = (): void => {
    if (++done < total) tell?.step('reading outlines', done, total);
  };
  const reading = readOutlines(choices, readShapes, outlineTaker(intake, points, repeats), onFile);
  // `finish` reports a failure. Before it is called, or if a table fails first, the rejection must not count as unhandled.
  reading.catch(() => {});
  return {
    finish: async (progress) => {
      tell = progress;
      await reading;
      points.finish();
      repeats.finish();
      if (done > 0) progress.step('reading outlines', 1, 1);
    },
  };
}

/** Holds the centers of population against the outlines, which the internal points have been held against. */
function checkCenters({ populationCenters, outlines }: Intake): void {
  const centers = createPointCheck('centers of population');
  for (const [geoid, { file, ...center }] of populationCenters) {
    const outline = outlines.get(geoid);
    if (outline) centers.add(outline, center, { ofPoint: file, ofOutline: file });
  }
  centers.finish();
}

/** Adds each outline, and its tract if no gazetteer lists that. The tract's internal point is checked if a file gives it. */
function outlineTaker(intake: Intake, points: PointCheck, repeats: OutlineRepeats): TakeTract {
  return (outline, attributes, ofOutline) => {
    const { geoid, rings } = outline;
    intake.addOutline(outline);
    repeats.add(outline, ofOutline);
    const listed = intake.listedTract(geoid);
    if (listed) points.add(outline, listed.row, { ofPoint: listed.tally.file ?? listed.tally.product, ofOutline });
    if (intake.hasTract(geoid)) return;
    const { point, landSqm, waterSqm } = attributes();
    if (point) points.add(outline, point, { ofPoint: ofOutline, ofOutline });
    intake.addOutlinedTract({ geoid, ...(point ?? internalPoint(rings)), landSqm, waterSqm });
  };
}
