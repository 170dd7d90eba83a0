import { systemCode } from '../core/system-code.js';
import { requireDescriptors } from '../platform/descriptors.js';
import { WebhookError } from '../webhooks/admin/webhook-admin.js';
import type { Sender, SenderOptions } from '../webhooks/delivery/sender.js';

/** More than the sender's modules take at a time. */
const DESCRIPTORS_TO_LOAD = 16;

/**
 * Sends only for `webhooks test`, and is loaded on first use, as it takes 8 MiB; the dispatcher process sends real
 * deliveries. Unlike other senders it rejects, if it cannot be loaded: with a {@link WebhookError} where a newer build has
 * removed its files, and with the system's error where there are no file descriptors.
 */
export function createLateSender(
  options: SenderOptions,
  load = () => import('../webhooks/delivery/sender.js'),
): Sender {
  let opened: Promise<Sender> | undefined;
  const open = async (): Promise<Sender> => (await load()).createSender(options);
  return {
    send: async (url, headers, body) => {
      // If Node fails to load a module for want of a file descriptor, it never loads it again: it is not asked to.
      if (!opened) requireDescriptors(DESCRIPTORS_TO_LOAD);
      opened ??= open();
      const sender = await opened.catch((error: unknown) => {
        opened = undefined;
        throw systemCode(error) === 'ERR_MODULE_NOT_FOUND' ? replaced() : error;
      });
      return await sender.send(url, headers, body);
    },
    close: () => {
      opened?.then(
        ({ close }) => close(),
        // Whoever wanted to send has been told that it could not be opened.
        () => {},
      );
    },
  };
}

function replaced(): WebhookError {
  const why = 'the files of the program that this service runs have been replaced or removed since it started';
  return new WebhookError('program-replaced', `${why}; restart the service to send a test`);
}
