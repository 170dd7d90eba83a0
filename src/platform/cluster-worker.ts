import cluster from 'node:cluster';

/** Whether the process that started this one listens for it, as Node's own does for its workers. */
export function isClusterWorker(): boolean {
  return cluster.isWorker && process.connected;
}

/**
 * Throws if Node takes this process for such a worker, although it was started otherwise: it would ask nobody to listen for
 * it, and wait for ever. Node knows a worker by a variable, which a program may hand on.
 */
export function refuseStrayWorker(): void {
  if (cluster.isWorker && !process.connected)
    throw new Error('NODE_UNIQUE_ID is set, so that Node takes this process for a worker of another one: unset it');
}
