import { arch, cpus, loadavg, platform, release, totalmem } from 'node:os';

/** The machine and the runtime on which the figures were measured, and for how long. */
export interface Environment {
  readonly cpu: string;
  readonly cores: number;
  readonly memoryGib: number;
  readonly system: string;
  readonly node: string;
  readonly v8: string;
  /** Load average of the minute before the run; well above 0, it means that other processes were busy. */
  readonly loadBefore: number;
  readonly startedAt: string;
  /** Duration of one sample of load. */
  readonly sampleSeconds: number;
}

export function describeEnvironment(sampleSeconds: number): Environment {
  const processors = cpus();
  return {
    cpu: processors[0]?.model.trim() ?? 'unknown',
    cores: processors.length,
    memoryGib: Math.round(totalmem() / 2 ** 30),
    system: `${platform()} ${release()} ${arch()}`,
    node: process.version,
    v8: process.versions.v8,
    loadBefore: Math.round((loadavg()[0] ?? 0) * 100) / 100,
    startedAt: new Date().toISOString(),
    sampleSeconds,
  };
}
