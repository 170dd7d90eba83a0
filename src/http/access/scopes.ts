import type { KeyIdentity } from '../../keys/key-identity.js';
import type { KeyScope } from '../../keys/key-record.js';
import { lacksScope } from '../error-details.js';
import { ApiError } from '../errors.js';

/** Throws `missing_scope` if a key has limited scopes and lacks the one that a path needs. */
export type RequireScope = (key: KeyIdentity, path: string) => void;

/** A path in the router's notation, and the scope that it needs. */
export interface ScopedPath {
  readonly path: string;
  readonly scope?: KeyScope;
}

/** Matches paths itself, because a key's scopes are checked before the router looks for a route. */
export function createScopeCheck(paths: readonly ScopedPath[]): RequireScope {
  const scoped = paths.flatMap(({ path, scope }) => (scope ? [{ pattern: patternOf(path), scope }] : []));
  return ({ scopes }, path) => {
    // Most keys have no limited scopes.
    if (!scopes) return;
    const needed = scoped.find(({ pattern }) => pattern.test(path));
    if (needed && !scopes.has(needed.scope)) throw new ApiError('missing_scope', lacksScope(needed.scope));
  };
}

function patternOf(path: string): RegExp {
  const literals = path.split(/:\w+/).map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  return new RegExp(`^${literals.join('[^/]+')}/?$`);
}
