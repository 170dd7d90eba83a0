import type { ApiDocument, OperationObject } from '../openapi/model.js';
import { walkGroups } from '../openapi/walk.js';

/**
 * The overview in the format of https://llmstxt.org: a title, a summary, the most important facts, then sections that
 * consist of links only.
 */
export function overviewText(document: ApiDocument, baseUrl: string): string {
  const link = (name: string, { operationId, summary }: OperationObject): string =>
    `- [${name}](${baseUrl}/docs#${operationId}): ${summary}`;
  const sections = walkGroups(document).map(({ title, operations, deliveries }) => {
    const links = [
      ...operations.map(({ path, method, operation }) => link(`${method.toUpperCase()} ${path}`, operation)),
      ...deliveries.map(({ event, operation }) => link(event, operation)),
    ];
    return `## ${title}\n\n${links.join('\n')}`;
  });
  return `# tract-context

> Health and socioeconomic context of US census tracts: demographics (ACS), social vulnerability (SVI), prevalence (PLACES), environmental exposure (EJScreen) and a composite index, found by address, point or GEOID.

Every request below /v1 needs a key in the header X-API-Key. Answers are JSON; unknown values are null, never 0. Errors are {"error": true, "status_code": <int>, "detail": <text, or a list for 422>}. On 429, and on 503 below /v1, wait for the seconds given in Retry-After. Figures describe areas, never a person.

\`\`\`sh
curl -H "X-API-Key: $API_KEY" '${baseUrl}/v1/context?lat=38.9072&lng=-77.0369'
\`\`\`

## Texts

- [Full reference](${baseUrl}/llms-full.txt): every endpoint with parameters, answers and examples, and webhook deliveries, as text
- [OpenAPI document](${baseUrl}/openapi.json): the same as OpenAPI 3.1
- [Reference page](${baseUrl}/docs): the same for people

${sections.join('\n\n')}
`;
}
