import type { Worker } from 'node:cluster';
import type { Channel } from './link.js';

/** To a process that this one has started. */
export function channelTo(worker: Worker): Channel {
  return {
    send: (message) => {
      // A process that ends meanwhile is told of by its channel's end, not by each message that it misses.
      if (worker.isConnected()) worker.send(message, () => {});
    },
    onMessage: (listener) => {
      worker.on('message', listener);
    },
    onClose: (listener) => {
      worker.once('disconnect', listener);
    },
  };
}

/** To the process that has started this one. */
export function channelToPrimary(): Channel {
  return {
    send: (message) => {
      if (process.connected) process.send?.(message, undefined, undefined, () => {});
    },
    onMessage: (listener) => {
      process.on('message', listener);
    },
    onClose: (listener) => {
      process.once('disconnect', listener);
    },
  };
}
