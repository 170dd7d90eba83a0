import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { anonymousBytes } from './process-memory.js';

/** The resources that a process on this machine holds. Linux only. */
export interface ProcessResources {
  /** The paths of the mapped compiled files, one entry per mapping. */
  readonly datasetMaps: readonly string[];
  readonly threads: number;
  /** The number of open descriptors without sockets, whose number depends on the clients. */
  readonly fileDescriptors: number;
  /** Resident anonymous memory; mapped files are not counted. */
  readonly anonymousBytes: number;
}

export function resourcesOf(pid: number): ProcessResources {
  const maps = readFileSync(`/proc/${pid}/maps`, 'utf8').split('\n');
  return {
    datasetMaps: maps.flatMap((line) => /\S+\.tctx$/.exec(line)?.[0] ?? []),
    threads: readdirSync(`/proc/${pid}/task`).length,
    fileDescriptors: countFileDescriptors(`/proc/${pid}/fd`),
    anonymousBytes: anonymousBytes(pid),
  };
}

function countFileDescriptors(directory: string): number {
  return readdirSync(directory).filter((fd) => {
    try {
      return !readlinkSync(`${directory}/${fd}`).startsWith('socket:');
    } catch {
      // The descriptor was closed after it had been listed.
      return false;
    }
  }).length;
}
