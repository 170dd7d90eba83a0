import { contentHash } from '../format/checksum.js';
import type { Answer } from './answer.js';
import { entityTag, matchTag } from './entity-tag.js';
import type { RequestState } from './request-state.js';
import type { RequestName, ResponseCache } from './response-cache.js';
import type { RawInput, Route } from './route.js';

/** Answers by a route, from the cache where it may, and with 304 where the client has the answer. Throws what the route throws. */
export type Respond = (route: Route, raw: RawInput, state: RequestState) => Answer | Promise<Answer>;

export interface RespondDeps {
  readonly cache: ResponseCache;
  /** The live generation's name. */
  readonly generation: () => string | undefined;
}

const NOT_MODIFIED: Answer = { status: 304, cacheControl: 'private' };

export function createRespond({ cache, generation }: RespondDeps): Respond {
  return (route, raw, state) => {
    const prepared = route.prepare(raw);
    const live = generation();
    if (live === undefined || !(prepared.etag || route.cache === 'response')) return prepared.answer(state);
    const name = nameRequest(live, route, prepared.input);
    const make = () => prepared.answer(state);
    const answer = () => (route.cache === 'response' ? cache.answer(name, make) : make());
    return prepared.etag ? respondTagged(name, state, answer) : answer();
  };

  function respondTagged(name: RequestName, state: RequestState, answer: () => Answer | Promise<Answer>) {
    const tag = entityTag(name.digest);
    const match = matchTag(state.headers['if-none-match'], tag);
    state.entityTag = tag;
    // Who has the tag has had the answer, and nothing that it depends on has changed.
    if (match === 'named') return NOT_MODIFIED;
    const finish = (made: Answer): Answer => {
      if (generation() !== name.generation) state.entityTag = undefined;
      return match === 'any' && made.status === 200 ? NOT_MODIFIED : made;
    };
    const made = answer();
    return made instanceof Promise ? made.then(finish) : finish(made);
  }
}

/** Schemas give their fields in one order, so that the same input is the same text. */
function nameRequest(generation: string, { method, path }: Route, input: unknown): RequestName {
  const parameters = `${method} ${path} ${JSON.stringify(input)}`;
  return { generation, parameters, digest: contentHash(Buffer.from(`${generation} ${parameters}`)) };
}
