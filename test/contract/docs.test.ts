import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { walkDeliveries, walkOperations } from '../../src/http/openapi/walk.js';
import { shareContract } from '../support/contract.js';

const contract = shareContract();

async function page() {
  const response = await fetch(`${contract.service.url}/docs`);
  return { headers: response.headers, html: await response.text() };
}

describe('GET /docs', () => {
  test('has every endpoint with its parameters, answers and example, and every object', async () => {
    const { html } = await page();
    for (const { path, operation, answers } of walkOperations(contract.document)) {
      const section = html.split(`id="${operation.operationId}"`)[1]?.split('</section>')[0] ?? '';
      expect(section).toContain(`<code>${path}</code>`);
      for (const { name } of operation.parameters ?? []) expect(section).toContain(`<code>${name}</code>`);
      for (const [status] of answers) expect(section).toContain(`<td>${status}</td>`);
      expect(section).toContain('<code>curl ');
    }
    for (const name of Object.keys(contract.document.components.schemas)) expect(html).toContain(`id="${name}"`);
  });

  test('has every event with its headers, body, example and what follows on an answer', async () => {
    const { html } = await page();
    for (const { event, operation, schema, answers } of walkDeliveries(contract.document)) {
      const section = html.split(`id="${operation.operationId}"`)[1]?.split('</section>')[0] ?? '';
      expect(section).toContain(`<code>${event}</code>`);
      for (const { name, example } of operation.parameters ?? []) {
        expect(section).toContain(`<td><code>${name}</code></td>`);
        expect(section).toContain(`${name}: ${example}\n`);
      }
      for (const name of Object.keys(schema.properties ?? {}))
        expect(section).toContain(`<td><code>${name}</code></td>`);
      for (const [status] of answers) expect(section).toContain(`<td>${status}</td>`);
      expect(section).toContain('\n{&quot;event&quot;:');
    }
    expect(html).toContain('<h2 id="deliveries">Deliveries</h2>');
  });

  test('links only to what is on the page, and to the other forms of the reference', async () => {
    const { html } = await page();
    const ids = new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => `#${id}`));
    const targets = [...html.matchAll(/ href="([^"]+)"/g)].map(([, target]) => target ?? '');
    const elsewhere = targets.filter((target) => !ids.has(target));
    expect(elsewhere.sort()).toEqual(['/llms-full.txt', '/openapi.json']);
  });

  test('has no script, loads nothing, and its policy allows no more than its own style', async () => {
    const { headers, html } = await page();
    expect(html).not.toMatch(/<script|<img|<link|<iframe|\son\w+=|url\(|@import/i);
    const style = /<style>([\s\S]*?)<\/style>/.exec(html)?.[1] ?? '';
    const hash = createHash('sha256').update(style).digest('base64');
    expect(headers.get('content-security-policy')).toContain(`default-src 'none'; style-src 'sha256-${hash}'`);
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
  });

  test('is written for screen readers, the dark and paper', async () => {
    const { html } = await page();
    expect(html).toMatch(/^<!doctype html>\n<html lang="en">/);
    expect(html).toContain('<main id="content">');
    expect(html).toContain('class="skip" href="#content"');
    expect(html).toContain('prefers-color-scheme:dark');
    expect(html).toContain('@media print');
    expect(html.match(/<h1>/g)).toHaveLength(1);
  });

  test('holds nothing that is undefined or an object', async () => {
    expect((await page()).html).not.toMatch(/undefined|\[object|NaN/);
  });
});
