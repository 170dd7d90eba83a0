import cluster from 'node:cluster';
import { channelToPrimary } from './channels.js';
import { createLink, type Link } from './link.js';
import { openTallies, TALLIES_FD } from './memory/tallies.js';
import { FAILED, JOIN, LISTENING, READY } from './start-questions.js';

/** This process as one of several that serve one address together. */
export interface Member {
  /** The number of this process's slot, from 0. */
  readonly index: number;
  readonly tallies: ReturnType<typeof openTallies>;
  /** The link to the primary; either side may ask. When it is closed, a process that does not listen yet has been ended. */
  readonly link: Link;
  /** Tells the primary that this process answers questions from now on. */
  ready(): Promise<void>;
  /** Tells the primary that this process listens. */
  listening(url: string): Promise<void>;
  /** Tells the primary, if it is still there, why this process cannot start. */
  failed(reason: string): Promise<void>;
  /** Disconnects from the primary, since an open channel would keep this process from ending. */
  leave(): void;
}

export interface MemberOptions {
  readonly processes: number;
  readonly windowSeconds: number;
  /** Told, about once a minute, that the rate limit refuses requests because no memory is left to count them in. */
  readonly onNoRoom: (error: unknown) => void;
}

/** Joins the processes that serve the address. Rejects if the primary is gone. */
export async function joinProcesses({ processes, windowSeconds, onNoRoom }: MemberOptions): Promise<Member> {
  const link = createLink(channelToPrimary());
  const { index } = await link.ask(JOIN, null);
  return {
    index,
    tallies: openTallies({ fd: TALLIES_FD, processes, index, windowSeconds, onNoRoom }),
    link,
    ready: async () => {
      await link.ask(READY, null);
    },
    listening: async (url) => {
      await link.ask(LISTENING, { url });
      // From now on the link tells that the primary is gone, and requests in flight are finished. Before, Node ends this
      // process at once, wherever its start is: it may wait for what only the primary can do, such as to listen.
      outliveChannel();
    },
    failed: async (reason) => {
      await link.ask(FAILED, { reason }).catch(() => {});
    },
    leave: () => {
      outliveChannel();
      if (process.connected) process.disconnect();
    },
  };
}

/** Keeps Node from ending this process when its channel to the primary is closed. */
function outliveChannel(): void {
  if (cluster.worker) cluster.worker.exitedAfterDisconnect = true;
}
