/** A server of the plain design, with the arguments: file or URL of its database, port, processes. */
import cluster from "node:cluster";
import { hash, randomUUID } from "node:crypto";
import Fastify from "fastify";
import { LIMIT } from "./design.ts";
import { openPostgres } from "./postgres.ts";
import { openSqlite } from "./sqlite.ts";

const [location = "", port = "", processes = "1"] = process.argv.slice(2);

async function serve(): Promise<void> {
  const store = location.startsWith("postgres:") ? openPostgres(location) : openSqlite(location);
  const app = Fastify({ keepAliveTimeout: 60_000 });
  app.get("/v1/health", () => ({ status: "ok" }));
  app.get<{ Params: { kvkNumber: string } }>("/v1/lookup/:kvkNumber", async (request, reply) => {
    const nowMs = Date.now();
    const key = request.headers.authorization?.slice("Bearer ".length) ?? "";
    const charged = await store.lookUp(hash("sha256", key), request.params.kvkNumber, nowMs);
    if (charged === undefined) return reply.code(429).send({ error: "refused" });
    const date = new Date(nowMs);
    reply.headers({
      "content-type": "application/json; charset=utf-8",
      "cache-control": "private, no-store",
      "x-request-id": randomUUID(),
      "x-ratelimit-limit": LIMIT,
      "x-ratelimit-remaining": LIMIT - charged.calls,
      "x-ratelimit-reset": Math.ceil((nowMs + 1) / 60_000) * 60,
      "x-tokens-remaining": LIMIT - charged.used,
      "x-tokens-charged": 1,
      "x-tokens-reset": Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1) / 1_000,
    });
    return charged.body;
  });
  await app.listen({ host: "127.0.0.1", port: Number(port) });
}

if (cluster.isPrimary && Number(processes) > 1) {
  for (let started = 0; started < Number(processes); started++) cluster.fork();
  process.once("SIGTERM", () => process.exit());
} else {
  process.once("SIGTERM", () => process.exit());
  await serve();
}
