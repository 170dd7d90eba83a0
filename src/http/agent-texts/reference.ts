import { EXAMPLE_SECRET } from '../event-descriptions.js';
import { describeSchema, fieldsOf, typeName } from '../openapi/describe-schema.js';
import { curlLine, exampleRequest } from '../openapi/example-request.js';
import type { ApiDocument, JsonSchema, MediaTypeObject, ParameterObject } from '../openapi/model.js';
import { exampleAnswer, type WalkedDelivery, type WalkedOperation, walkGroups } from '../openapi/walk.js';

/** The whole reference as Markdown. */
export function referenceText(document: ApiDocument, baseUrl: string): string {
  const { info, components } = document;
  const groups = walkGroups(document).map(({ title, about, operations, deliveries }) => {
    const texts = [...operations.map((walked) => operationText(walked, baseUrl)), ...deliveries.map(deliveryText)];
    return [`## ${title}`, about, ...texts].join('\n\n');
  });
  return [
    `# ${info.title} ${info.version}: full reference`,
    `> ${info.summary}.`,
    info.description,
    `Base address: ${baseUrl}. The examples expect the key in the environment variable API_KEY. Their answers come from synthetic tracts of Delaware, the District of Columbia and Rhode Island (tract-context demo --states 10,11,44), in which no value was measured; with more states loaded, national ranks, averages and totals differ, and real data lacks the examples’ addresses and most of their GEOIDs: take a GEOID from GET /v1/context with a point.`,
    ...groups,
    '## Objects',
    ...Object.entries(components.schemas).map(([name, schema]) => objectText(name, schema)),
    '',
  ].join('\n\n');
}

function operationText(walked: WalkedOperation, baseUrl: string): string {
  const { path, method, operation, body, answers } = walked;
  return [
    `### ${method.toUpperCase()} ${path}`,
    `${operation.summary}. ${operation.description}`,
    ...list('Parameters:', (operation.parameters ?? []).map(parameterLine)),
    ...(body ? list('Body (JSON):', fieldLines(body)) : []),
    ...list(
      'Answers:',
      answers.map(([status, { description, content }]) => `- ${status}: ${description}${formOf(content)}`),
    ),
    ...exampleText(walked, baseUrl),
  ].join('\n\n');
}

function deliveryText({ event, operation, headers, object, example, answers }: WalkedDelivery): string {
  const { summary, description, parameters = [] } = operation;
  return [
    `### ${event}`,
    `${summary}. ${description}`,
    ...list('Headers:', parameters.map(parameterLine)),
    `Body (JSON): ${object}.`,
    ...list(
      'What the answer leads to:',
      answers.map(([status, answer]) => `- ${status}: ${answer.description}`),
    ),
    `An example, with the secret \`${EXAMPLE_SECRET}\`; the body is one line, without a line break at its end:`,
    fence('http', headers.join('\n')),
    fence('json', JSON.stringify(example)),
  ].join('\n\n');
}

function exampleText(walked: WalkedOperation, baseUrl: string): string[] {
  const { path, method, operation } = walked;
  const { status, body } = exampleAnswer(walked);
  const request = fence('sh', curlLine(exampleRequest(path, method, operation), baseUrl));
  if (body === undefined) return [request, `Answers ${status}.`];
  return [request, `Answers ${status}:`, fence('json', JSON.stringify(body, null, 2))];
}

function parameterLine({ name, in: where, required, description, schema }: ParameterObject): string {
  const about = description ? `: ${description}` : '';
  return `- \`${name}\` (${where}, ${required ? 'required' : 'optional'}, ${describeSchema(schema)})${about}`;
}

function formOf(content: Readonly<Record<string, MediaTypeObject>> = {}): string {
  const forms = Object.entries(content).map(([type, { schema, example, examples }]) => {
    const details = Object.values(examples ?? {}).map(({ value }) => detailOf(value));
    const shown = details.length > 0 ? details : [detailOf(example)];
    const texts = shown.filter((detail) => detail !== undefined).map((detail) => `\`${detail}\``);
    return ` ${type}${schema ? `, ${typeName(schema)}` : ''}${texts.length > 0 ? `: ${texts.join(' · ')}` : ''}`;
  });
  return forms.join(' or');
}

/** The sentence in an error's body; undefined for any other value. */
function detailOf(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || !('detail' in value)) return undefined;
  return typeof value.detail === 'string' ? value.detail : undefined;
}

function objectText(name: string, schema: JsonSchema): string {
  const lines = schema.properties ? fieldLines(schema) : [`- ${describeSchema(schema)}`];
  return [`### ${name}`, ...(schema.description ? [schema.description] : []), lines.join('\n')].join('\n\n');
}

function fieldLines(object: JsonSchema): string[] {
  return fieldsOf(object).map(({ name, schema, isOptional }) => {
    const presence = isOptional ? ', optional' : '';
    return `- \`${name}\` (${describeSchema(schema)}${presence})${schema.description ? `: ${schema.description}` : ''}`;
  });
}

function list(heading: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [`${heading}\n\n${lines.join('\n')}`];
}

function fence(language: string, text: string): string {
  return `\`\`\`${language}\n${text}\n\`\`\``;
}
