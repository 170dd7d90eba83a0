import type { KeyIdentity } from '../../keys/key-identity.js';
import type { KeyScope } from '../../keys/key-record.js';
import { ApiError } from '../errors.js';

/** Throws `missing_scope` where a key is limited to other scopes than the one that a path needs. */
export type RequireScope = (key: KeyIdentity, path: string) => void;

/** What is behind a path, in the router's notation. */
export interface ScopedPath {
  readonly path: string;
  readonly scope?: KeyScope;
}

/** By the paths alone: a key is looked at, and told what it lacks, before a route is looked for. */
export function createScopeCheck(paths: readonly ScopedPath[]): RequireScope {
  const scoped = paths.flatMap(({ path, scope }) => (scope ? [{ pattern: patternOf(path), scope }] : []));
  return ({ scopes }, path) => {
    // Most keys may do all.
    if (!scopes) return;
    const needed = scoped.find(({ pattern }) => pattern.test(path));
    if (needed && !scopes.has(needed.scope)) throw new ApiError('missing_scope', `Key lacks scope ${needed.scope}.`);
  };
}

function patternOf(path: string): RegExp {
  const literals = path.split(/:\w+/).map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  return new RegExp(`^${literals.join('[^/]+')}/?$`);
}
