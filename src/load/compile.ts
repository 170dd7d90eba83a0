import { discoverFiles } from './files/discover.js';
import { requireUnchanged } from './files/unchanged.js';
import { InputError } from './input.js';
import { Intake, type LoadFilter } from './intake/intake.js';
import { WORK_HERE } from './outlines/outline-work.js';
import type { Progress } from './progress.js';
import {
  type PublishedDataset,
  type PublishingOptions,
  type PublishOptions,
  publishIntake,
  publishing,
} from './publish-intake.js';
import { readInput } from './read-input.js';
import { recognizeFiles } from './recognize/recognize.js';
import { describeInput, filesThatCount, type RecognizedInput, reportedFiles } from './recognize/recognized-input.js';
import { writeReport } from './report/write-report.js';
import { readSourceCatalog } from './source-catalog.js';

export interface CompileOptions extends Omit<PublishOptions, 'readFrom'>, PublishingOptions {
  readonly inputDirs: readonly string[];
  readonly outputDir: string;
  readonly filter: LoadFilter;
}

/**
 * Compiles the official files below the input directories into a generation and publishes it. Throws `InputError` for a
 * file that is broken or must be refused, `ThresholdError`, `SourceCatalogError`, `DatasetsLockedError`, `ReportError`, and
 * file-system errors; nothing is published then. `WithdrawnGenerationError`, if `evenIfWithdrawn` is false, says that a
 * rollback went back from what the files compile to, and nothing is published either. `UnconfirmedPublicationError` says
 * that it was published nevertheless.
 */
export async function compile(options: CompileOptions, progress: Progress): Promise<PublishedDataset> {
  return publishing(
    options.outputDir,
    async (publication) => {
      // A mistake in it is told before the work, not after.
      const catalog = readSourceCatalog();
      const files = await discoverFiles(options.inputDirs);
      const input = await recognizeFiles(files);
      for (const line of describeInput(input)) progress.line(line);
      refuse(input, options.reportPath);
      const checkInput = (): void => requireUnchanged(filesThatCount(input, files.found));
      const intake = new Intake(options.filter);
      try {
        await readInput(input, intake, options.outlineWork ?? WORK_HERE, progress);
        checkInput();
        const readFrom = { input, inputDirs: options.inputDirs, catalog, requireUnchanged: checkInput };
        return await publishIntake(intake, publication, { ...options, readFrom }, progress);
      } catch (error) {
        // What was removed or replaced meanwhile is not damaged: it need not be downloaded again.
        if (error instanceof InputError) checkInput();
        throw error;
      }
    },
    options,
  );
}

/** Ends the compile if a product must not be loaded; the report then lists what was found and what was refused. */
function refuse(input: RecognizedInput, reportPath: string | undefined): void {
  const { refused } = input;
  if (refused.length > 0 && reportPath !== undefined) {
    writeReport(reportPath, { ...reportedFiles(input), refused });
  }
  const reasons = refused.map(({ label, product, why }) => `${label} (${product}): ${why}`);
  if (reasons.length > 0) throw new InputError(reasons.join('\n'));
  if (input.texts.length + input.shapefiles.length + input.counties.length + input.places.length === 0)
    throw new InputError('the input has no file of a known source');
}
