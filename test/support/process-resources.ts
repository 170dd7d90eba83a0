import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** What a process of this machine holds. Linux. */
export interface ProcessResources {
  /** The compiled files that it has mapped, one entry for each mapping. */
  readonly datasetMaps: readonly string[];
  readonly threads: number;
  /** Without sockets: how many connections there are is their clients' affair. */
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
    fileDescriptors: countFileDescriptors(`/proc/${pid}/fd`),
    anonymousBytes: Number(kibibytes) * 1024,
  };
}

function countFileDescriptors(directory: string): number {
  return readdirSync(directory).filter((fd) => {
    try {
      return !readlinkSync(`${directory}/${fd}`).startsWith('socket:');
    } catch {
      // Closed since it was listed.
      return false;
    }
  }).length;
}
