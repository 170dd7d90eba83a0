import type { Worker } from 'node:cluster';
import type { Channel } from './link.js';

/** The channel to a process that this one has started. */
export function channelTo(worker: Worker): Channel {
  return {
    isConnected: () => worker.isConnected(),
    send: (message) => {
      // Send errors are ignored: that the process has ended is reported once, by `onClose`, not for each lost message.
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

/** The channel to the process that has started this one. */
export function channelToPrimary(): Channel {
  return {
    isConnected: () => process.connected,
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
