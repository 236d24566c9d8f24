/** A service whose database is down at the start waits for it, and reports that. */
import { beforeAll, describe, expect, it } from "vitest";
import { afterFile } from "../kit/afterFile.ts";
import { jsonOf } from "../kit/answer.ts";
import { ask } from "../kit/client.ts";
import { BAKERY } from "../kit/companies.ts";
import { expectError } from "../kit/contractAnswer.ts";
import { type DatabaseProxy, startDatabaseProxy } from "../kit/databaseProxy.ts";
import { startOpzoek } from "../kit/opzoek.ts";
import type { Program } from "../kit/program.ts";
import { parseAnswer, requestBytes, sendBytes } from "../kit/rawSocket.ts";
import { sharedPostgres } from "../kit/sharedPostgres.ts";
import { thoroughIt, variants } from "../kit/thorough.ts";
import { until } from "../kit/until.ts";
import { makeWorld, type World } from "../kit/world.ts";

let proxy: DatabaseProxy;
let world: World;
let key: string;

beforeAll(async () => {
  const postgres = await sharedPostgres();
  proxy = await startDatabaseProxy(postgres.port);
  world = await makeWorld({
    environment: { DATABASE_URL: proxy.through(await postgres.database("waiting")) },
  });
  ({ key } = await world.account("plenty"));
});

function start(environment = world.environment): Program {
  const program = startOpzoek(["serve"], environment);
  afterFile(async () => {
    program.child.kill("SIGKILL");
    await program.ended;
  });
  return program;
}

/** The log lines with this message so far. */
function lines(program: Program, msg: RegExp): Record<string, unknown>[] {
  const whole = program.out().slice(0, program.out().lastIndexOf("\n") + 1);
  return whole
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter((line) => msg.test(String(line["msg"])));
}

async function portOf(program: Program, msg: RegExp): Promise<{ readonly port: number }> {
  const line = await until(`a log line like ${msg}`, () => lines(program, msg)[0]);
  return { port: Number(new URL(String(line["address"])).port) };
}

const AWAY = /^the state cannot be used yet: calls are refused until it is available$/;

it("a service without its database listens, is live but not ready, refuses calls, and serves as soon as the database is up", async () => {
  proxy.shut();
  const program = start();
  const waiting = await portOf(program, AWAY);
  expect(await ask(waiting, { path: "/livez" })).toMatchObject({ status: 200 });
  const ready = await ask(waiting, { path: "/readyz?probe=1" });
  expect([ready.status, jsonOf(ready)]).toEqual([
    503,
    { status: "not ready", reason: "the state store is unavailable" },
  ]);
  const health = await ask(waiting, { path: "/v1/health" });
  expect([health.status, jsonOf(health)]).toMatchObject([503, { status: "down" }]);
  const call = await ask(waiting, { path: `/v1/lookup/${BAKERY}`, key });
  expect([call.status, jsonOf(call)]).toMatchObject([503, { error: { code: "SERVICE_UNAVAILABLE" } }]);
  expect(call.headers["retry-after"]).toBe("2");
  const head = parseAnswer(await sendBytes(waiting.port, requestBytes("HEAD /v1/usage")));
  expect(head).toMatchObject({ status: 503, text: "" });
  for (const wrong of [
    "NONSENSE\r\n\r\n",
    "GET / HTTP/1.1\r\n\r\n",
    "GET / HTTP/1.1\r\nhost: x\r\nexpect: y\r\n\r\n",
  ]) {
    expectError(parseAnswer(await sendBytes(waiting.port, wrong)), "INVALID_REQUEST");
  }

  proxy.open();
  const serving = await portOf(program, /^listening$/);
  // The system chose it when the service began to wait.
  expect(serving).toEqual(waiting);
  expect((await ask(serving, { path: `/v1/lookup/${BAKERY}`, key })).status).toBe(200);
  expect((await ask(serving, { path: "/readyz" })).status).toBe(200);
  expect(lines(program, AWAY).length).toBe(1);
  expect(lines(program, /^the state store is available again$/)).toMatchObject([{ refused: 2 }]);
  program.child.kill("SIGTERM");
  expect(await program.ended).toMatchObject({ code: 0, err: "" });
});

thoroughIt("a service exits with 0 if stopped just when the database is up", async () => {
  proxy.shut();
  const program = start();
  await portOf(program, AWAY);
  proxy.open();
  await until("it is logged", () => lines(program, /^the state store is available again$/)[0]);
  program.child.kill("SIGTERM");
  expect(await program.ended).toMatchObject({ code: 0, err: "" });
});

it("a service exits with 0 if stopped while it waits for the database", async () => {
  proxy.shut();
  const program = start();
  await portOf(program, AWAY);
  program.child.kill("SIGTERM");
  expect(await program.ended).toMatchObject({ code: 0, err: "" });
  proxy.open();
});

describe("a login that the server refuses ends the start with exit code 2 and one line that names the setting", () => {
  const PASSWORD = /password authentication failed .*: correct its user and password/;
  const refusals: readonly [string, (url: URL) => void, RegExp][] = [
    [
      "a wrong password",
      (url) => {
        url.password = "tr0ub4dor";
      },
      PASSWORD,
    ],
    [
      "no password",
      (url) => {
        url.password = "";
      },
      /\(SASL: .*: correct its user and password/,
    ],
    [
      "a role that does not exist",
      (url) => {
        url.username = "nobody_made_this";
      },
      PASSWORD,
    ],
    [
      "a database that does not exist",
      (url) => {
        url.pathname = "/nobody_made_this";
      },
      /"nobody_made_this" does not exist .*: create the database, or correct its name/,
    ],
  ];

  const changed = (change: (url: URL) => void): NodeJS.ProcessEnv => {
    const url = new URL(String(world.environment["DATABASE_URL"]));
    change(url);
    return { ...world.environment, DATABASE_URL: url.href };
  };
  const expectRefused = async (program: Program, line: RegExp) => {
    const { code, err, out } = await program.ended;
    expect([code, err]).toEqual([2, expect.stringMatching(line)]);
    expect(err).toMatch(/^opzoek: the database of DATABASE_URL cannot be used .*\n$/);
    expect(out + err).not.toContain("tr0ub4dor");
  };

  it.each(variants(refusals, { ordinary: 1 }))("%s, at once", async (_, change, line) => {
    await expectRefused(start(changed(change)), line);
  });

  it.each(variants(refusals, { ordinary: 1 }))("%s, once the server is up", async (_, change, line) => {
    proxy.shut();
    const program = start(changed(change));
    await portOf(program, AWAY);
    proxy.open();
    await expectRefused(program, line);
    expect(lines(program, /^the state store is available again$/)).toEqual([]);
  });

  thoroughIt("with several workers", async () => {
    const [[, change, line] = ["", () => {}, PASSWORD]] = refusals;
    await expectRefused(start({ ...changed(change), WORKERS: "2" }), line);
  });

  thoroughIt("with a second server that is down", async () => {
    const wrong = changed((url) => {
      url.password = "tr0ub4dor";
    });
    const url = String(wrong["DATABASE_URL"]).replace(/@([^/]+)/, "@127.0.0.1:1,$1");
    await expectRefused(start({ ...wrong, DATABASE_URL: url }), PASSWORD);
  });
});
