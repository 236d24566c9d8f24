/**
 * The webhook for a finished list, sent to a real server, with a signature that the Standard Webhooks library accepts.
 */
import type { IncomingHttpHeaders } from "node:http";
import { Webhook } from "standardwebhooks";
import { beforeAll, expect, it } from "vitest";
import { listen } from "../../src/http/server.ts";
import { codeOf, jsonOf, messageOf } from "../kit/answer.ts";
import { ask } from "../kit/client.ts";
import { BAKERY } from "../kit/companies.ts";
import { composeInProcess } from "../kit/inProcess.ts";
import { servingPort } from "../kit/server.ts";
import { until } from "../kit/until.ts";
import { makeWorld, type TestAccount } from "../kit/world.ts";
import { begun, completed, send } from "./lists.ts";

interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

const received: Received[] = [];
/** The responses to the next messages; later ones get 204. */
const answers: number[] = [];
let receiverPort: number;
let service: { readonly port: number };
let account: TestAccount;
let world: Awaited<ReturnType<typeof makeWorld>>;

beforeAll(async () => {
  receiverPort = await servingPort((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      received.push({
        path: request.url ?? "",
        headers: request.headers,
        body: Buffer.concat(parts).toString("utf8"),
      });
      const status = answers.shift() ?? 204;
      response.writeHead(status, status === 302 ? { location: `${address()}/elsewhere` } : {});
      response.end();
    });
  });
  world = await makeWorld({ environment: { WEBHOOK_NETWORKS: "127.0.0.1" } });
  const inside = await composeInProcess(world, {
    listOptions: { webhookAgainAfterMs: [0, 0, 0, 0, 0], pollEveryMs: 20 },
  });
  const url = await listen(inside.app, "127.0.0.1", 0);
  service = { port: Number(new URL(url).port) };
  account = await inside.account("plenty");
});

const address = () => `http://127.0.0.1:${receiverPort}`;

async function newSecret(): Promise<string> {
  const response = await ask(service, { method: "POST", path: "/v1/webhook-secret", key: account.key });
  return (jsonOf(response) as { secret: string }).secret;
}

/** Runs a list with a webhook to a path of the receiver. @returns the messages that arrived */
async function webhooksOf(path: string, messages = 1): Promise<{ id: string; arrived: Received[] }> {
  const webhook = encodeURIComponent(address() + path);
  const { id } = await begun(service, account.key, [BAKERY, "123"], `kind=lookup&webhook=${webhook}`);
  await completed(service, account.key, id);
  const arrived = await until("the webhook arrives", () => {
    const here = received.filter((one) => one.path === path);
    return here.length >= messages && here;
  });
  return { id, arrived };
}

function verified(secret: string, { headers, body }: Received): unknown {
  return new Webhook(secret).verify(body, headers as Record<string, string>);
}

it("a webhook requires a secret, and an allowed address", async () => {
  const at = (webhook: string) =>
    send(service, account.key, [BAKERY], `kind=lookup&webhook=${encodeURIComponent(webhook)}`);
  const without = await at(`${address()}/none`);
  expect([without.status, codeOf(without), messageOf(without)]).toEqual([
    400,
    "INVALID_REQUEST",
    expect.stringContaining("webhook-secret"),
  ]);
  for (const webhook of [
    "https://10.0.0.1/x",
    "https://[::1]/x",
    "ftp://example.com",
    "https://169.254.169.254/",
  ]) {
    const refused = await at(webhook);
    expect([refused.status, codeOf(refused)]).toEqual([400, "INVALID_REQUEST"]);
  }
});

it("a webhook states which list ended and how, contains none of its input, and is signed", async () => {
  const secret = await newSecret();
  const { id, arrived } = await webhooksOf("/plain");
  expect(arrived).toHaveLength(1);
  const [message] = arrived;
  if (message === undefined) throw new Error("nothing arrived");
  expect(verified(secret, message)).toEqual({
    type: "job.completed",
    timestamp: expect.stringMatching(/Z$/),
    data: {
      id,
      kind: "lookup",
      status: "completed",
      counts: { sent: 2, duplicates: 0, numbers: 2, done: 2, found: 1, failed: 1 },
      tokens: { charged: 1 },
    },
  });
  expect(message.body).not.toContain(BAKERY);
  expect(() => verified(`whsec_${Buffer.alloc(32).toString("base64")}`, message)).toThrow();
});

it("a webhook is retried under one id until accepted, and follows no redirect", async () => {
  const secret = await newSecret();
  answers.push(500, 302, 503);
  const { arrived } = await webhooksOf("/again", 4);
  expect(new Set(arrived.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
  for (const message of arrived) expect(verified(secret, message)).toBeDefined();
  expect(received.filter(({ path }) => path === "/elsewhere")).toEqual([]);
});

it("a webhook is also signed by the previous secret for a day after a rollover", async () => {
  const before = await newSecret();
  const after = await newSecret();
  const { arrived } = await webhooksOf("/rolled");
  const [message] = arrived;
  if (message === undefined) throw new Error("nothing arrived");
  expect(verified(before, message)).toEqual(verified(after, message));
});
