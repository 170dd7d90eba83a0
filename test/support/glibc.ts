import { z } from 'zod';

const GLIBC = z.object({ header: z.object({ glibcVersionRuntime: z.string() }) });

/** Whether Node uses the GNU C library. */
export function isGlibc(): boolean {
  return GLIBC.safeParse(process.report.getReport()).success;
}
