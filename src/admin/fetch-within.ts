import type { HTTPLinkOptions } from '@trpc/client';
import { systemCode } from '../core/system-code.js';
import { type Deadlines, deadlineMs, takesWholeDatasets } from './deadlines.js';

/** The admin plane did not respond in time. */
export class NoAnswerError extends Error {
  override readonly name = 'NoAnswerError';

  constructor(
    /** Whether the call asked for a change, which may still be made. */
    readonly mayBeDone: boolean,
  ) {
    super('no answer in time');
  }
}

/** The connection to the admin plane ended before it answered, as when the service ends during a call. */
export class CutOffError extends Error {
  override readonly name = 'CutOffError';

  constructor(
    /** Whether the call asked for a change, which may be made all the same. */
    readonly mayBeDone: boolean,
    cause: unknown,
  ) {
    super('the connection ended before the answer', { cause });
  }
}

/** Errors of a connection that had been made. */
const CUT_OFF: ReadonlySet<string> = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE']);

/** `fetch` with the signature that tRPC calls. */
type Fetch = NonNullable<HTTPLinkOptions<never>['fetch']>;

interface Call {
  readonly url: string;
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body?: string;
  readonly signal: AbortSignal;
}

interface Answer {
  readonly ok: boolean;
  readonly text: string;
}

/** Reads the settings, which involves neither the disk nor another process. */
const PROBE = 'system.config';

/**
 * A `fetch` that throws {@link NoAnswerError} after a procedure's deadline, and {@link CutOffError}. Before a procedure that
 * may take an hour it sends a quick probe, so that a hung service is noticed as soon as with any other call. Calls `onChange`
 * before a procedure that makes a change.
 */
export function createFetchWithin(deadlines: Deadlines, onChange: () => void): Fetch {
  return async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    const [procedure = ''] = url.pathname.split('/').slice(-1);
    const call = {
      method: init?.method ?? 'GET',
      headers: Object.fromEntries(new Headers(init?.headers)),
      ...(typeof init?.body === 'string' ? { body: init.body } : {}),
    };
    const within = async (ms: number, ask: (signal: AbortSignal) => Promise<Answer>, mayBeDone: boolean) => {
      const timeout = AbortSignal.timeout(ms);
      try {
        return await ask(init?.signal ? AbortSignal.any([init.signal, timeout]) : timeout);
      } catch (error) {
        if (timeout.aborted) throw new NoAnswerError(mayBeDone);
        throw isCutOff(error) ? new CutOffError(mayBeDone, error) : error;
      }
    };
    const isLong = takesWholeDatasets(procedure);
    if (isLong) {
      const { headers } = call;
      const probe = new URL(PROBE, url).href;
      // Any response will do: the call itself reports any other problem.
      await within(deadlines.ordinaryMs, (signal) => exchange({ url: probe, method: 'GET', headers, signal }), false);
    }
    const isChange = call.method === 'POST';
    if (isChange) onChange();
    const { ok, text } = await within(
      deadlineMs(procedure, deadlines),
      (signal) => (isLong ? exchangePatiently : exchange)({ url: url.href, ...call, signal }),
      isChange,
    );
    return { ok, json: async () => JSON.parse(text) };
  };
}

/** Whether an error of `fetch` has such a cause; its own code, where it has one, says nothing. */
function isCutOff(error: unknown): boolean {
  if (CUT_OFF.has(systemCode(error) ?? '')) return true;
  return error instanceof Error && isCutOff(error.cause);
}

async function exchange({ url, ...init }: Call): Promise<Answer> {
  const response = await fetch(url, init);
  return { ok: response.ok, text: await response.text() };
}

/** Has no timeouts of its own, whereas Node's `fetch` gives up after five minutes without response headers. */
async function exchangePatiently({ url, ...init }: Call): Promise<Answer> {
  const undici = await import('undici');
  const dispatcher = new undici.Agent({ headersTimeout: 0, bodyTimeout: 0 });
  try {
    const response = await undici.fetch(url, { ...init, dispatcher });
    return { ok: response.ok, text: await response.text() };
  } finally {
    await dispatcher.destroy();
  }
}
