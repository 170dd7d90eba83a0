import { overviewText } from '../agent-texts/overview.js';
import { referenceText } from '../agent-texts/reference.js';
import type { Answer } from '../answer.js';
import { PAGE_POLICY, referencePage } from '../docs/page.js';
import { HTML_TYPE, TEXT_TYPE } from '../media-types.js';
import type { ApiDocument } from '../openapi/model.js';
import { defineRoute, type Route, type RouteDefinition } from '../route.js';
import { docsOperation, llmsFullOperation, llmsOperation, openapiOperation } from './system-operations.js';

type TextOperation = Omit<RouteDefinition<Record<string, never>>, 'handle'>;

/**
 * The routes of the service's reference: /llms.txt, /llms-full.txt, /openapi.json, /docs. Each text is generated once, on
 * the first request.
 */
export function referenceRoutes(document: () => ApiDocument, baseUrl: () => string): Route[] {
  const text = (operation: TextOperation, write: () => string, form: Partial<Answer> = {}): Route => {
    let written: Answer | undefined;
    const answer = (): Answer => ({
      status: 200,
      body: Buffer.from(write()),
      cacheControl: 'private',
      compressed: new Map(),
      ...form,
    });
    return defineRoute({
      ...operation,
      handle: () => {
        written ??= answer();
        return written;
      },
    });
  };
  return [
    text(openapiOperation, () => JSON.stringify(document())),
    text(llmsOperation, () => overviewText(document(), baseUrl()), { contentType: TEXT_TYPE }),
    text(llmsFullOperation, () => referenceText(document(), baseUrl()), { contentType: TEXT_TYPE }),
    text(docsOperation, () => referencePage(document(), baseUrl()), {
      contentType: HTML_TYPE,
      contentSecurityPolicy: PAGE_POLICY,
    }),
  ];
}
