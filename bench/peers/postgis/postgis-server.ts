/**
 * The service that a user would build instead, with Express, `pg` and PostGIS. `node postgis-server.js <socket directory>
 * <user>`; sends its URL to its parent.
 */
import express, { type Response } from 'express';
import pg from 'pg';
import { tellParent } from '../../lib/tell-parent.js';
import { connectionOf } from './cluster.js';
import { createQueries } from './queries.js';

/** A few more than there are cores, so that computing one answer overlaps with sending another. */
const CONNECTIONS = 6;

const [socketDir = '', user = ''] = process.argv.slice(2);
const queries = createQueries(new pg.Pool({ ...connectionOf({ socketDir, user }), max: CONNECTIONS }));
const app = express();

/** Avoids `json` and `send`, which would hash every body for an ETag. */
function answer(response: Response, body: string | undefined): void {
  response.statusCode = body === undefined ? 404 : 200;
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  response.end(body ?? '{}');
}

app.get('/v1/nearby', async ({ query }, response) => {
  const { lat, lng, radius = 5, limit = 25, offset = 0 } = query;
  const asked = { lat: Number(lat), lng: Number(lng), radius: Number(radius) };
  answer(response, JSON.stringify(await queries.nearby({ ...asked, limit: Number(limit), offset: Number(offset) })));
});
app.get('/v1/context', async ({ query: { lat, lng } }, response) => {
  answer(response, await queries.context(Number(lat), Number(lng)));
});
app.get('/v1/demographics/compare', async ({ query: { geoid } }, response) => {
  answer(response, JSON.stringify(await queries.rankings(String(geoid))));
});

tellParent(app.listen(0, '127.0.0.1'));
