import type { ApiDocument } from '../openapi/model.js';
import { walkDeliveries, walkOperations } from '../openapi/walk.js';
import { TAGS } from '../operation.js';

/**
 * The overview in the format of https://llmstxt.org: a title, a summary, the most important facts, then sections that
 * consist of links only.
 */
export function overviewText(document: ApiDocument, baseUrl: string): string {
  const entries = [
    ...walkOperations(document).map(({ path, method, operation }) => ({
      name: `${method.toUpperCase()} ${path}`,
      operation,
    })),
    ...walkDeliveries(document).map(({ event, operation }) => ({ name: event, operation })),
  ];
  const sections = Object.keys(TAGS).map((tag) => {
    const links = entries
      .filter(({ operation }) => operation.tags.includes(tag))
      .map(({ name, operation }) => `- [${name}](${baseUrl}/docs#${operation.operationId}): ${operation.summary}`);
    return `## ${title(tag)}\n\n${links.join('\n')}`;
  });
  return `# tract-context

> Health and socioeconomic context of US census tracts: demographics (ACS), social vulnerability (SVI), prevalence (PLACES), environmental exposure (EJScreen) and a composite index, found by address, point or GEOID.

Every request below /v1 carries a key in the header X-API-Key. Answers are JSON; unknown values are null, never 0. Errors are {"error": true, "status_code": <int>, "detail": <text, or a list for 422>}. On 429, wait as long as Retry-After says. Figures describe areas, never a person.

\`\`\`sh
curl -H "X-API-Key: $API_KEY" '${baseUrl}/v1/context?lat=38.9072&lng=-77.0369'
\`\`\`

## Texts

- [Full reference](${baseUrl}/llms-full.txt): every endpoint with parameters, answers and examples, and what webhook receivers get, as text
- [OpenAPI document](${baseUrl}/openapi.json): the same as OpenAPI 3.1
- [Reference page](${baseUrl}/docs): the same for people

${sections.join('\n\n')}
`;
}

/** A tag with its first letter capitalized, as a heading. */
export function title(tag: string): string {
  return `${tag.charAt(0).toUpperCase()}${tag.slice(1)}`;
}
