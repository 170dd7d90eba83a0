import { type OpenedService, type Service, type Stoppable, startService } from '../compose.js';
import type { Config } from '../config.js';
import { messageOf } from '../core/message-of.js';
import { createLogOutput, describeError } from '../log.js';
import { setUpGarbageCollection } from '../platform/garbage-collection.js';
import { answerKeysChanged, answerMetrics } from '../processes/admin-questions.js';
import { joinProcesses, type Member } from '../processes/member.js';
import { answerDatasets, catchUp, liveInAll } from '../processes/member-datasets.js';
import { configOfMember } from './member-config.js';
import { endOnUnexpectedError } from './unexpected-error.js';

/**
 * Serves as one of several processes until it is told to stop or the primary is gone, then finishes requests in flight.
 * Returns the exit code: 0, or 1 if it cannot start, for which the primary reports the reason.
 */
export async function serveAsMember(config: Config, logFd: 1 | 2): Promise<number> {
  setUpGarbageCollection();
  const log = createLogOutput(config.logLevel, logFd, process.pid);
  endOnUnexpectedError(log);
  // A terminal and some supervisors signal all processes, and the primary does too: a second signal has no effect here.
  const terminated = new Promise<void>((resolve) => {
    process.on('SIGTERM', () => resolve());
    process.on('SIGINT', () => resolve());
  });
  // Only the primary reloads on SIGHUP, in all processes; without a listener the signal would end this one.
  process.on('SIGHUP', () => {});
  const { processes, rateLimitWindowSeconds: windowSeconds } = config;
  let member: Member | undefined;
  let service: Service | undefined;
  try {
    member = await joinProcesses({
      processes,
      windowSeconds,
      onNoRoom: (error) =>
        log.logger.error(
          { event: 'rate-limit-full', ...describeError(error) },
          'no memory left to count requests, so keys get 429 below their limit; make /dev/shm larger',
        ),
    });
    const { index, link, tallies, ready } = member;
    const following = { first: await liveInAll(link) };
    let caughtUp: Promise<void> | undefined;
    // The order matters: a dataset that goes live elsewhere is either announced to this process or found by `catchUp`.
    const beforeListening = async ({ served, keysChanged }: OpenedService): Promise<void> => {
      answerDatasets(link, served);
      answerKeysChanged(link, keysChanged);
      await ready();
      // Otherwise a key revoked since the keys were read would be accepted here until the next poll.
      await keysChanged();
      caughtUp = catchUp(link, served);
      // It is awaited once the service listens; a failure before that must not count as unhandled.
      caughtUp.catch(() => {});
    };
    const datasetsOf = (): Stoppable => ({ stop: () => Promise.resolve() });
    const options = { datasetsOf, beforeListening, tallies, following };
    service = await startService(configOfMember(config, index), log, options);
    answerMetrics(link, service.metrics);
    await caughtUp;
    await member.listening(service.url);
    const orphaned = link.closed.then(() => 'primary-gone' as const);
    if ((await Promise.race([terminated, orphaned])) === 'primary-gone') {
      log.logger.error(
        { event: 'primary-gone' },
        'the first process is gone; this process finishes its requests and exits',
      );
    }
    await service.stop();
    return 0;
  } catch (error) {
    await member?.failed(messageOf(error));
    // A process that the primary does not know to listen would serve for ever, whatever becomes of the primary.
    await service?.stop();
    return 1;
  } finally {
    await log.end();
    member?.leave();
  }
}
