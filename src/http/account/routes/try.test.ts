import { Readable } from "node:stream";
import { fastify } from "fastify";
import { expect, it, onTestFinished } from "vitest";
import { DEFAULT_TIERS } from "../../../contract/tiers.ts";
import { Tickets } from "../../../metering/tickets.ts";
import type { SignedInRequest } from "../route.ts";
import { tryRoutes } from "./try.ts";

const PART = Buffer.alloc(64 << 10, " ");
const PARTS = 512;

/** An API with a long response and one that waits, and a person who tries it. */
function trying(type: string) {
  const seen = { parts: 0, ended: Promise.withResolvers<void>() };
  const gate = Promise.withResolvers<void>();
  async function* parts() {
    try {
      for (; seen.parts < PARTS; seen.parts++) yield PART;
    } finally {
      seen.ended.resolve();
    }
  }
  const app = fastify();
  onTestFinished(() => app.close());
  app.get("/v1/long", (_request, reply) =>
    reply.type(type).send(Readable.from(parts(), { objectMode: false })),
  );
  app.get("/v1/waits", () => gate.promise.then(() => ({ isDone: true })));
  const request = {
    app,
    tickets: new Tickets(),
    address: "10.0.0.1",
    services: { tiers: DEFAULT_TIERS },
    account: { keys: { ofPage: async (id: string) => `page_${id}` } },
  };
  app.get("/v1/part", ({ headers }, reply) =>
    reply.code(206).type(type).send(`{"range":"${headers.range}"}\n`),
  );
  const tried = (path: string, accountId = "acc_1", more = {}): Promise<unknown> => {
    const signedIn = { person: { account: { id: accountId, tierName: "pro" } } };
    // The parts of a request that the route uses.
    const visited = { ...request, signedIn } as unknown as SignedInRequest;
    const route = tryRoutes.find((one) => one.path === "/account/try");
    return Promise.resolve(
      route?.handler({ params: {}, query: {}, body: { method: "GET", path, ...more } }, visited),
    );
  };
  return { seen, gate, tried };
}

it("does not read a response that is not JSON, and closes its source", async () => {
  const { seen, tried } = trying("application/x-ndjson");
  const answer = await tried("/v1/long");
  expect(answer).toMatchObject({ status: 200 });
  expect(answer).not.toHaveProperty("body");
  await seen.ended.promise;
  expect(seen.parts).toBeLessThan(8);
});

it("returns a requested part of results as text", async () => {
  const { tried } = trying("application/x-ndjson");
  const answer = await tried("/v1/part", "acc_1", { range: "bytes=0-99" });
  expect(answer).toMatchObject({ status: 206, body: '{"range":"bytes=0-99"}\n' });
  const csv = trying("text/csv");
  expect(await csv.tried("/v1/part")).not.toHaveProperty("body");
});

it("reads at most a mebibyte of JSON, and explains the alternative", async () => {
  const { seen, tried } = trying("application/json");
  await expect(tried("/v1/long")).rejects.toMatchObject({
    code: "INVALID_REQUEST",
    message: expect.stringContaining("call the API with a key"),
  });
  await seen.ended.promise;
  expect(seen.parts).toBeLessThan(32);
});

it("runs four calls of an account at once, and lets the next one wait", async () => {
  const { gate, tried } = trying("application/json");
  const inProgress = Array.from({ length: 4 }, () => tried("/v1/waits"));
  await expect(tried("/v1/waits")).rejects.toMatchObject({
    code: "RATE_LIMIT_EXCEEDED",
    retryAfterSeconds: 1,
  });
  const another = tried("/v1/waits", "acc_2");
  gate.resolve();
  const done = { status: 200, body: { isDone: true } };
  expect(await Promise.all([...inProgress, another])).toMatchObject(Array(5).fill(done));
  expect(await tried("/v1/waits")).toMatchObject(done);
});
