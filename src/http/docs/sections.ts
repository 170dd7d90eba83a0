import { describeSchema, fieldsOf, refName } from '../openapi/describe-schema.js';
import { curlLine, exampleRequest } from '../openapi/example-request.js';
import type { JsonSchema, MediaTypeObject, ParameterObject, ResponseObject } from '../openapi/model.js';
import { exampleAnswer, type WalkedDelivery, type WalkedOperation } from '../openapi/walk.js';
import { type Html, html, inline } from './html.js';

/** The section of an endpoint: its input, its answers, and a request to copy. */
export function operationSection(walked: WalkedOperation, baseUrl: string): Html {
  const { path, method, operation, body, answers } = walked;
  const { operationId, summary, description, parameters = [], security } = operation;
  const { status, body: answer } = exampleAnswer(walked);
  return html`<section>
<h3 id="${operationId}"><span class="method">${method.toUpperCase()}</span> <code>${path}</code></h3>
<p><strong>${summary}.</strong> ${inline(description)}${security ? ' No key needed.' : ''}</p>
${parameters.length > 0 ? html`<h4>Parameters</h4>${parameterTable(parameters)}` : ''}
${body ? html`<h4>Body</h4>${fieldTable(body)}` : ''}
<h4>Answers</h4>${answerTable(answers)}
<h4>Example</h4>
<pre tabindex="0"><code>${curlLine(exampleRequest(path, method, operation), baseUrl)}</code></pre>
<p class="soft">Answers ${status}${answer === undefined ? '.' : ':'}</p>
${answer === undefined ? '' : html`<pre tabindex="0"><code>${JSON.stringify(answer, null, 2)}</code></pre>`}
</section>`;
}

/** The section of a webhook event: the request that a receiver gets, and the consequence of each answer. */
export function deliverySection({ event, operation, headers, schema, example, answers }: WalkedDelivery): Html {
  const { operationId, summary, description, parameters = [] } = operation;
  return html`<section>
<h3 id="${operationId}"><span class="method">POST</span> <code>${event}</code></h3>
<p><strong>${summary}.</strong> ${inline(description)}</p>
<h4>Headers</h4>${parameterTable(parameters)}
<h4>Body</h4>${fieldTable(schema)}
<h4>What the answer leads to</h4>${answerTable(answers)}
<h4>Example</h4>
<pre tabindex="0"><code>${[...headers, '', JSON.stringify(example)].join('\n')}</code></pre>
</section>`;
}

/** A table of an object's fields. */
export function fieldTable(object: JsonSchema): Html {
  const rows = fieldsOf(object).map(({ name, schema, isOptional }) => [
    html`<code>${name}</code>`,
    html`${typeOf(schema)}${isOptional ? ', optional' : ''}`,
    inline(schema.description ?? ''),
  ]);
  return table(['Field', 'Form', 'Meaning'], rows);
}

function parameterTable(parameters: readonly ParameterObject[]): Html {
  const rows = parameters.map(({ name, in: where, required, schema, description = '' }) => [
    html`<code>${name}</code>`,
    html`${where}, ${required ? 'required' : 'optional'}`,
    html`${describeSchema(schema)}`,
    inline(description),
  ]);
  return table(['Name', 'Where', 'Form', 'Meaning'], rows);
}

function answerTable(answers: readonly (readonly [string, ResponseObject])[]): Html {
  const rows = answers.map(([status, { description, content = {} }]) => [
    html`${status}`,
    inline(description),
    html`${Object.entries(content).map(([type, { schema }]) => html`<div>${type}${mediaForm(schema)}</div>`)}`,
  ]);
  return table(['Status', 'When', 'Body'], rows);
}

function mediaForm(schema: MediaTypeObject['schema']): Html | string {
  return schema ? html`: ${typeOf(schema)}` : '';
}

/** A schema's type in words; a named object becomes a link to its section. */
function typeOf(schema: JsonSchema): Html {
  const { $ref, items, anyOf } = schema;
  if ($ref) return html`<a href="#${refName($ref)}">${refName($ref)}</a>`;
  if (items) return html`list of ${typeOf(items)}`;
  if (anyOf) return html`${anyOf.map((form, at) => html`${at === 0 ? '' : ' or '}${typeOf(form)}`)}`;
  return html`${describeSchema(schema)}`;
}

function table(heads: readonly string[], rows: readonly (readonly Html[])[]): Html {
  return html`<div class="scroll" tabindex="0"><table><thead><tr>${heads.map(
    (head) => html`<th scope="col">${head}</th>`,
  )}</tr></thead><tbody>${rows.map((cells) => html`<tr>${cells.map((cell) => html`<td>${cell}</td>`)}</tr>`)}</tbody></table></div>`;
}
