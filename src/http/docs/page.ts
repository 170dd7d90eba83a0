import { createHash } from 'node:crypto';
import { describeSchema } from '../openapi/describe-schema.js';
import type { ApiDocument, JsonSchema } from '../openapi/model.js';
import { type WalkedDelivery, type WalkedOperation, walkGroups } from '../openapi/walk.js';
import { Html, html, prose } from './html.js';
import { deliverySection, fieldTable, operationSection } from './sections.js';
import { STYLE } from './style.js';

/** Content security policy of the reference page, which allows its one inline style and nothing else. */
export const PAGE_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Renders the reference as one HTML page from the document alone, without scripts or external resources. */
export function referencePage(document: ApiDocument, baseUrl: string): string {
  const { info, components } = document;
  // The public URL if it is configured; else empty, so that links lead to the host that served the page.
  const root = document.servers.map(({ url }) => url.replace(/\/$/, '')).join('');
  const groups = walkGroups(document);
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${info.title} ${info.version}: API reference</title>
<style>${new Html(STYLE)}</style>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<div class="frame">
<nav aria-label="Endpoints">
${groups.map(
  (group) =>
    html`<h2>${group.title}</h2><ul>${group.operations.map(navigationLine)}${group.deliveries.map(eventLine)}</ul>`,
)}
<h2>Objects</h2><ul>${Object.keys(components.schemas).map((name) => html`<li><a href="#${name}">${name}</a></li>`)}</ul>
</nav>
<main id="content">
<h1>${info.title} ${info.version}</h1>
<p>${info.summary}. Base address: <code>${baseUrl}</code>. Also as <a href="${root}/openapi.json">OpenAPI 3.1</a> and as <a href="${root}/llms-full.txt">plain text</a>.</p>
${prose(info.description)}
${groups.map(
  (group) =>
    html`<h2 id="${group.tag}">${group.title}</h2>${prose(group.about)}${group.operations.map((walked) =>
      operationSection(walked, baseUrl),
    )}${group.deliveries.map(deliverySection)}`,
)}
<h2>Objects</h2>
${Object.entries(components.schemas).map(([name, schema]) => objectSection(name, schema))}
</main>
</div>
</body>
</html>
`.text;
}

function navigationLine({ path, method, operation }: WalkedOperation): Html {
  return html`<li><a href="#${operation.operationId}">${method.toUpperCase()} ${path}</a></li>`;
}

function eventLine({ event, operation }: WalkedDelivery): Html {
  return html`<li><a href="#${operation.operationId}">${event}</a></li>`;
}

function objectSection(name: string, schema: JsonSchema): Html {
  return html`<section><h3 id="${name}">${name}</h3>${schema.description ? prose(schema.description) : ''}${
    schema.properties ? fieldTable(schema) : html`<p>${describeSchema(schema)}</p>`
  }</section>`;
}
