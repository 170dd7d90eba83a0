/** A reference to a thing that may be closed when nobody holds one any more. */
export interface Lease<T> {
  readonly value: T;
  /** To be called once. The value may not be touched afterwards. */
  release(): void;
}

/** A thing that many readers use until another takes its place. */
export interface Shared<T> {
  readonly value: T;
  /** Cheap: every caller gets the same lease, and releases it once. */
  acquire(): Lease<T>;
  /** Lets the readers finish, then stops the thing and releases it. No lease may be taken afterwards. */
  retire(): Promise<void>;
  /** Stops it at once, and releases it as soon as the last reader is done, which is not waited for. */
  close(): Promise<void>;
}

export interface SharedOptions<T> {
  /** Ends what works for the thing; whoever waits for such work is refused. */
  stop(value: T): Promise<void>;
  /** Gives its memory back. */
  release(value: T): void;
}

export function share<T>(value: T, options: SharedOptions<T>): Shared<T> {
  let readers = 0;
  let whenUnread: (() => void) | undefined;

  const lease: Lease<T> = {
    value,
    release: () => {
      // The memory that a reader too few lets go of is still read by others.
      if (readers === 0) throw new Error('a lease was released twice');
      readers--;
      if (readers === 0) whenUnread?.();
    },
  };
  const unread = (): Promise<void> =>
    new Promise((resolve) => {
      whenUnread = resolve;
      if (readers === 0) resolve();
    });
  return {
    value,
    acquire: () => {
      readers++;
      return lease;
    },
    retire: async () => {
      await unread();
      await options.stop(value);
      options.release(value);
    },
    close: async () => {
      await options.stop(value);
      const done = unread().then(() => options.release(value));
      // Whoever still reads at the end of the process may do so: the system takes the memory back.
      if (readers === 0) await done;
    },
  };
}
