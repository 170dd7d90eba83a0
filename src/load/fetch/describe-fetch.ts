import { existsSync } from 'node:fs';
import { counted } from '../../core/counted.js';
import { formatBytes } from '../../core/format-bytes.js';
import { groupBy } from '../../core/group-by.js';
import { formatTable } from '../../core/table.js';
import type { FetchReport } from './fetch-sources.js';
import type { FileResult } from './fetch-work.js';
import type { PlannedFile } from './plan.js';
import type { FilePlan } from './plan-files.js';
import { type FetchRecord, readRecord } from './records.js';
import type { StoreLayout } from './store-layout.js';

type Fetched = Extract<FileResult, { record: unknown }>;

/** A fetch's outcome as text: one row per product and vintage, then files that came from mirrors, and failures. */
export function describeReport({ files, removed, notes }: FetchReport): string[] {
  const groups = groupBy(files, (file) =>
    'record' in file ? `${file.download} ${file.record.vintage}` : file.download,
  );
  const count = (group: readonly FileResult[], outcome: FileResult['outcome']): string =>
    String(group.filter((file) => file.outcome === outcome).length);
  const rows = [...groups].map(([name, group]) => [
    name,
    String(group.length),
    ...(['new', 'updated', 'unchanged', 'failed'] as const).map((outcome) => count(group, outcome)),
    formatBytes(group.reduce((sum, file) => sum + ('record' in file ? file.record.sizeBytes : 0), 0)),
  ]);
  const mirrored = files.filter((file): file is Fetched => 'record' in file && file.record.mirror !== undefined);
  return [
    ...(rows.length > 0
      ? formatTable(['product', 'files', 'new', 'updated', 'unchanged', 'failed', 'size'], rows)
      : ['Nothing to fetch.']),
    ...describeMirrors(mirrored.map(({ record }) => record)),
    ...removed.map((path) => `Removed because another file replaces it: ${path}`),
    ...notes,
    ...files.flatMap((file) => (file.outcome === 'failed' ? [`Not fetched: ${failedName(file)}\n  ${file.why}`] : [])),
  ];
}

/** A file's path, which begins with its download's id; or that id and the page that would have listed the files. */
const failedName = ({ download, path }: FileResult): string =>
  path.startsWith(download) ? path : `${download}: ${path}`;

function describeMirrors(records: readonly FetchRecord[]): string[] {
  const byMirror = groupBy(records, ({ mirror = '' }) => mirror);
  return [...byMirror].map(([mirror, own]) => {
    const what = own.length > 3 ? `${own.length} files` : own.map(({ path }) => path).join(', ');
    return `Downloaded from ${mirror} instead of the agency: ${what}`;
  });
}

/** What a fetch would do, as text: one line per file with its size, which is estimated if it was never fetched. */
export function describePlan(layout: StoreLayout, { files, failed }: FilePlan, notes: readonly string[]): string[] {
  const rows = files.map((file) => [sizeText(layout, file), file.candidates[0].path, addresses(file)]);
  const total = files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  return [
    ...formatTable(['size', 'file', 'from'], rows),
    `${counted(files.length, 'file')}, about ${formatBytes(total)}${failed.length > 0 ? ', and besides:' : ''}`,
    ...failed.map(({ download, path, why }) => `${download}: ${path}: ${why}`),
    ...notes,
  ];
}

function sizeText(layout: StoreLayout, { candidates, sizeBytes }: PlannedFile): string {
  for (const { path } of candidates) {
    const record = readRecord(layout, path);
    if (record && existsSync(layout.file(path)))
      return `${formatBytes(record.sizeBytes)}, fetched ${record.fetchedAt.slice(0, 10)}`;
  }
  return `about ${formatBytes(sizeBytes)}`;
}

const addresses = ({ candidates: [first, ...others] }: PlannedFile): string =>
  others.length === 0 ? first.url : `${first.url}, or ${others.map(({ url }) => url).join(', ')}`;
