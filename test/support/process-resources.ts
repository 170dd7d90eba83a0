import { readdirSync, readFileSync } from 'node:fs';

/** What a process of this machine holds. Linux. */
export interface ProcessResources {
  /** The compiled files that it has mapped, one entry for each mapping. */
  readonly datasetMaps: readonly string[];
  readonly threads: number;
  readonly fileDescriptors: number;
  /** Of its own memory; mapped files are not counted. */
  readonly anonymousBytes: number;
}

export function resourcesOf(pid: number): ProcessResources {
  const maps = readFileSync(`/proc/${pid}/maps`, 'utf8').split('\n');
  const [, kibibytes = '0'] = /^RssAnon:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return {
    datasetMaps: maps.flatMap((line) => /\S+\.tctx$/.exec(line)?.[0] ?? []),
    threads: readdirSync(`/proc/${pid}/task`).length,
    fileDescriptors: readdirSync(`/proc/${pid}/fd`).length,
    anonymousBytes: Number(kibibytes) * 1024,
  };
}
