/**
 * The yardsticks: servers that answer every request with the same body, set up as their documentation shows.
 * `node constant-server.js <node|express|fastify> <body bytes>`; sends its URL to its parent.
 */
import { createServer, type Server } from 'node:http';
import express from 'express';
import Fastify from 'fastify';
import { tellParent } from '../lib/tell-parent.js';

const [kind, sizeBytes] = process.argv.slice(2);
const TYPE = 'application/json; charset=utf-8';
const body = Buffer.alloc(Number(sizeBytes), 'x');
/**
 * As long as the service has. Node's five seconds are not enough: autocannon sends each connection's first request, and then
 * prepares those of the next connections. On a slow machine the first connections were closed by the time it went on.
 */
const KEEP_ALIVE_TIMEOUT_MS = 65_000;

const START: Readonly<Record<string, () => Promise<Server>>> = {
  node: async () =>
    createServer((_request, response) => {
      response.writeHead(200, { 'Content-Type': TYPE, 'Content-Length': body.length });
      response.end(body);
    }).listen(0, '127.0.0.1'),
  express: async () => {
    const app = express();
    // Avoids `send`, which would hash the body for an ETag on every request.
    app.use((_request, response) => {
      response.setHeader('Content-Type', TYPE);
      response.setHeader('Content-Length', body.length);
      response.end(body);
    });
    return app.listen(0, '127.0.0.1');
  },
  fastify: async () => {
    const app = Fastify();
    app.all('/*', (_request, reply) => reply.type(TYPE).send(body));
    await app.listen({ port: 0, host: '127.0.0.1' });
    return app.server;
  },
};

const server = await START[kind ?? '']?.();
if (!server) throw new Error(`there is no yardstick ${kind}`);
server.keepAliveTimeout = KEEP_ALIVE_TIMEOUT_MS;
tellParent(server);
