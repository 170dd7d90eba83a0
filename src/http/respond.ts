import type { Client } from '../pool/request.js';
import type { Answer } from './answer.js';
import { nameRequest } from './cache/request-name.js';
import type { ResponseCache } from './cache/response-cache.js';
import type { RequestState } from './request-state.js';
import type { RawInput, Route, RouteContext } from './route.js';
import { matchTag } from './sending/entity-tag.js';

/**
 * Answers a request by its route: from the cache if the route allows it, and with 304 if the client already has the answer.
 * Throws what the route throws.
 */
export type Respond = (route: Route, raw: RawInput, state: RequestState) => Answer | Promise<Answer>;

export interface RespondDeps {
  readonly cache: ResponseCache;
  /** Identifies the program's build, since another build may answer differently; see `programEdition`. */
  readonly edition: string;
}

export function createRespond({ cache, edition }: RespondDeps): Respond {
  return (route, raw, state) => {
    const prepared = route.prepare(raw);
    const live = state.lease?.value.dataset.generation;
    const cached = route.cache === 'response';
    if (live === undefined || !(prepared.etag || cached)) return prepared.answer(state);
    const name = nameRequest(live, route, prepared.input, edition);
    const answer = () =>
      cached
        ? cache.answer(name, (client) => prepared.answer(contextFor(state, client)), state.client)
        : prepared.answer(state);
    if (!prepared.etag) return answer();
    state.entityTag = name.tag;
    const match = matchTag(state.headers['if-none-match'], name.tag);
    // A client that sends this tag has received the answer, and nothing that the answer depends on has changed.
    if (match === 'named') return notModified(prepared);
    const made = answer();
    if (match !== 'any') return made;
    return made instanceof Promise ? made.then(withoutBody) : withoutBody(made);
  };
}

const notModified = ({ cacheControl }: Pick<Answer, 'cacheControl'>): Answer => ({ status: 304, cacheControl });

/** Answers `If-None-Match: *`: a 200 becomes a 304, whichever answer the client has. */
function withoutBody(made: Answer): Answer {
  if (made.status !== 200) return made;
  made.release?.();
  return notModified(made);
}

/** The handler's context for an answer that several clients may wait for, whom `client` stands for. */
function contextFor({ key, headers, lease }: RequestState, client: Client): RouteContext {
  return { key, headers, lease, client };
}
