import { systemCode } from '../../core/system-code.js';
import { FetchError } from './fetch-error.js';

/** What the system says where there is no network. A host that is slow or down makes other errors. */
const NO_NETWORK: ReadonlySet<string | undefined> = new Set([
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENETDOWN',
  'ENETUNREACH',
  'EHOSTUNREACH',
]);

/** Whether there is a network at all, by what came of a fetch's requests, to whatever host. */
export interface Network {
  /** Makes an attempt, and notes how it ends. */
  attempt<T>(work: () => Promise<T>): Promise<T>;
  /** To be told of the error that a file was given up for, after all its attempts. */
  gaveUp(error: unknown): void;
  /** Whether nothing has been reached so far, although something was tried as often as anything is. */
  isGone(): boolean;
}

export function createNetwork(): Network {
  let wasThere = false;
  let wasAwaited = false;
  const isMissed = (error: unknown): boolean => error instanceof FetchError && NO_NETWORK.has(systemCode(error.cause));
  return {
    attempt: async (work) => {
      try {
        const result = await work();
        wasThere = true;
        return result;
      } catch (error) {
        wasThere ||= !isMissed(error);
        throw error;
      }
    },
    gaveUp: (error) => {
      wasAwaited ||= isMissed(error);
    },
    isGone: () => wasAwaited && !wasThere,
  };
}
