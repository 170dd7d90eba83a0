/** Lets so many at a time through to each of several hosts; whoever comes later waits, in the order of coming. */
export interface Turnstile {
  /** Undefined where it is the caller's turn at once; else a promise that is fulfilled when it is. */
  enter(host: string): Promise<void> | undefined;
  /** To be called once by each who entered. */
  leave(host: string): void;
}

interface Gate {
  inside: number;
  readonly waiting: (() => void)[];
}

export function createTurnstile(mostInside: number): Turnstile {
  const gates = new Map<string, Gate>();
  return {
    enter: (host) => {
      const gate = gates.get(host) ?? { inside: 0, waiting: [] };
      gates.set(host, gate);
      if (gate.inside >= mostInside) return new Promise((resolve) => gate.waiting.push(resolve));
      gate.inside++;
      return undefined;
    },
    leave: (host) => {
      const gate = gates.get(host);
      if (!gate) return;
      const next = gate.waiting.shift();
      // The place goes from one to the next.
      if (next) next();
      else if (--gate.inside === 0) gates.delete(host);
    },
  };
}
