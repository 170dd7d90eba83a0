/** A reference to a shared resource, which stays open as long as anybody holds a lease on it. */
export interface Lease<T> {
  readonly value: T;
  /** Must be called exactly once; the value must not be used afterwards. */
  release(): void;
}

/** A resource that many readers use until another replaces it. */
export interface Shared<T> {
  /** Takes a lease. Cheap: every caller gets the same object, and must release it once. */
  acquire(): Lease<T>;
  /** Waits for the readers to finish, then stops and releases the resource. No lease may be taken afterwards. */
  retire(): Promise<void>;
  /** Stops the resource at once, and releases it as soon as the last reader is done, without waiting for that reader. */
  close(): Promise<void>;
}

export interface SharedOptions<T> {
  /** Ends the workers that serve the resource; their pending work is rejected. */
  stop(value: T): Promise<void>;
  /** Frees the resource's memory. */
  release(value: T): void;
}

export function share<T>(value: T, options: SharedOptions<T>): Shared<T> {
  let readers = 0;
  let whenUnread: (() => void) | undefined;

  const lease: Lease<T> = {
    value,
    release: () => {
      // A surplus release would free memory that another reader still uses.
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
      // Readers that remain when the process ends are left alone: the system frees the memory.
      if (readers === 0) await done;
    },
  };
}
