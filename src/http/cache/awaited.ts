import type { Client } from '../../pool/request.js';
import type { Answer } from '../answer.js';
import { tagWord } from '../sending/entity-tag.js';
import { type RequestName, spellOut } from './request-name.js';

/** An answer that is being computed. */
export interface Pending {
  readonly name: RequestName;
  readonly answer: Promise<Answer>;
  /** All clients that wait for the answer. */
  readonly clients: Client[];
}

/** The answers that are being computed, by request name. */
export interface Awaited {
  find(name: RequestName): Pending | undefined;
  add(pending: Pending): void;
  /** Does nothing if the answer has been removed already. */
  remove(pending: Pending): void;
  clear(): void;
}

interface Link {
  readonly pending: Pending;
  next: Link | undefined;
}

/** Enough for at most about one answer per chain under usual loads; under heavy load some chains are longer. */
const CHAINS = 1024;

/**
 * A hash table of linked lists. A Map would keep its short-lived entries in memory (see pool/deadlines.ts): most answers are
 * awaited only once, for a millisecond.
 */
export function createAwaited(): Awaited {
  const chains = new Array<Link | undefined>(CHAINS).fill(undefined);
  const chainOf = ({ tag }: RequestName): number => tagWord(tag, 0) % CHAINS;
  return {
    find: (name) => {
      for (let link = chains[chainOf(name)]; link; link = link.next) {
        if (isSame(link.pending.name, name)) return link.pending;
      }
      return undefined;
    },
    add: (pending) => {
      const chain = chainOf(pending.name);
      chains[chain] = { pending, next: chains[chain] };
    },
    remove: (pending) => {
      const chain = chainOf(pending.name);
      let before: Link | undefined;
      for (let link = chains[chain]; link; link = link.next) {
        if (link.pending === pending) {
          if (before) before.next = link.next;
          else chains[chain] = link.next;
          return;
        }
        before = link;
      }
    },
    clear: () => {
      chains.fill(undefined);
    },
  };
}

function isSame(one: RequestName, other: RequestName): boolean {
  return one.tag === other.tag && one.route === other.route && spellOut(one) === spellOut(other);
}
