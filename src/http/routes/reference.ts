import { overviewText } from '../agent-texts/overview.js';
import { referenceText } from '../agent-texts/reference.js';
import type { Answer } from '../answer.js';
import { PAGE_POLICY, referencePage } from '../docs/page.js';
import { HTML_TYPE, TEXT_TYPE } from '../media-types.js';
import type { ApiDocument } from '../openapi/model.js';
import { defineRoute, type Route, type RouteDefinition } from '../route.js';
import { bodyTag, matchTag } from '../sending/entity-tag.js';
import { docsOperation, llmsFullOperation, llmsOperation, openapiOperation } from './system-operations.js';

/** A text in the two forms in which it is sent. */
interface Written {
  readonly tag: string;
  readonly answer: Answer;
  readonly notModified: Answer;
}

function writtenOnce(text: string, form: Partial<Answer>): Written {
  const body = Buffer.from(text);
  const tag = bodyTag(body);
  // A cache takes over the headers of a 304, so that a page's policy must be among them.
  const shared = { ...form, cacheControl: 'private', headers: { ETag: tag } } as const;
  return {
    tag,
    answer: { ...shared, status: 200, body, compressed: new Map() },
    notModified: { ...shared, status: 304 },
  };
}

type TextOperation = Omit<RouteDefinition<Record<string, never>>, 'handle'>;

/**
 * The routes of the service's reference: /llms.txt, /llms-full.txt, /openapi.json, /docs. Each text is generated once, on
 * the first request, and its tag is of its bytes, since it depends on settings, too.
 */
export function referenceRoutes(document: () => ApiDocument, baseUrl: () => string): Route[] {
  const text = (operation: TextOperation, write: () => string, form: Partial<Answer> = {}): Route => {
    let written: Written | undefined;
    return defineRoute({
      ...operation,
      handle: (_, { headers }) => {
        written ??= writtenOnce(write(), form);
        return matchTag(headers['if-none-match'], written.tag) === 'none' ? written.answer : written.notModified;
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
