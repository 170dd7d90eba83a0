// Starts the built server as a supervisor does, asks it one question, and stops it.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

const [datasets] = process.argv.slice(2);
const server = spawn(process.execPath, ['dist/program/main.js', 'serve', '--datasets', datasets, '--port', '0'], {
  env: { ...process.env, API_KEYS: 'ci-key', STATE_DIR: `${datasets}-state` },
  stdio: ['ignore', 'pipe', 'inherit'],
});
const deadline = setTimeout(() => {
  console.error('the server did not answer within 30 s');
  server.kill('SIGKILL');
  process.exit(1);
}, 30_000);

const exited = new Promise((resolve) => server.on('exit', resolve));
// Until it is answered: a server that ends by itself before it listens may well exit with 0.
process.exitCode = 1;
for await (const line of createInterface({ input: server.stdout })) {
  const entry = JSON.parse(line);
  if (entry.event !== 'listening') continue;
  const response = await fetch(`${entry.url}/v1/context?lat=38.9072&lng=-77.0369`, {
    headers: { 'X-API-Key': 'ci-key' },
  });
  const { tract } = await response.json();
  console.log(`GET /v1/context: ${response.status}, ${tract.name}`);
  if (response.status === 200 && tract.state_fips === '11') process.exitCode = 0;
  server.kill('SIGTERM');
  break;
}
const code = await exited;
clearTimeout(deadline);
console.log(`the server exited with ${code}`);
if (code !== 0) process.exitCode = 1;
