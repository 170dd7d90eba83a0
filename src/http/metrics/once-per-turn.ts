/**
 * Computes a value once per turn of the event loop, for all requests of that turn: a client that pipelines may send
 * thousands.
 */
export function oncePerTurn<T extends object>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    if (made) return made;
    made = make();
    setImmediate(() => {
      made = undefined;
    });
    return made;
  };
}
