/** Two worker processes behind one address: a person's action at one applies at the other at once. */
import type { Agent } from "node:http";
import { beforeAll, describe, expect, it } from "vitest";
import type { OpenSessions, SessionState, Tried } from "../../src/contract/accountResources.ts";
import type { AccountKeys, NewAccountKey } from "../../src/contract/keyResources.ts";
import { type Answer, jsonOf } from "../kit/answer.ts";
import { PASSWORD } from "../kit/browser.ts";
import { ask } from "../kit/client.ts";
import { BAKERY } from "../kit/companies.ts";
import { connections } from "../kit/connections.ts";
import { type Service, startService } from "../kit/service.ts";
import { sharedPostgres } from "../kit/sharedPostgres.ts";
import { awayFromMonthEnd } from "../kit/until.ts";
import { makeWorld } from "../kit/world.ts";

const NEW_PASSWORD = "een heel ander woord";
const WORKERS = 2;

let service: Service;
/** One connection to each worker. */
let one: Agent;
let other: Agent;
let count = 0;
beforeAll(async () => {
  const DATABASE_URL = await (await sharedPostgres()).newDatabase("account workers");
  const world = await makeWorld({
    environment: { SIGNUP: "open", DATABASE_URL, WORKERS: String(WORKERS) },
  });
  await awayFromMonthEnd();
  service = await startService(world);
  const [first, second] = await connections(service, WORKERS);
  if (first === undefined || second === undefined) throw new Error("a worker has no connection");
  [one, other] = [first, second];
});

/** A person's browser, whose requests go to the given worker. */
class Visitor {
  cookie: string | undefined;

  async ask(at: Agent, method: string, path: string, body?: unknown): Promise<Answer> {
    const answer = await ask(
      service,
      {
        method,
        path,
        body,
        headers: {
          host: new URL(service.address).host,
          ...(method === "GET" ? {} : { origin: service.address }),
          ...(this.cookie === undefined ? {} : { cookie: this.cookie }),
        },
      },
      at,
    );
    const pair = answer.headers["set-cookie"]?.split(";")[0];
    if (pair !== undefined) this.cookie = pair.endsWith("=") ? undefined : pair;
    return answer;
  }

  async get<T>(at: Agent, path: string): Promise<T> {
    return jsonOf(await this.ask(at, "GET", path)) as T;
  }

  async status(at: Agent, method: string, path: string, body?: unknown): Promise<number> {
    return (await this.ask(at, method, path, body)).status;
  }

  /** The e-mail address of the session as a worker sees it. */
  async emailAt(at: Agent): Promise<string | undefined> {
    return (await this.get<SessionState>(at, "/account/session")).person?.email;
  }
}

/** Signs up at one worker and signs in at the other. */
async function enter(): Promise<{ visitor: Visitor; email: string }> {
  const [visitor, email] = [new Visitor(), `workers-${++count}@fabel.example`];
  expect(await visitor.status(one, "POST", "/account/sign-up", { email, password: PASSWORD })).toBe(202);
  expect(await visitor.status(other, "POST", "/account/sign-in", { email, password: PASSWORD })).toBe(200);
  return { visitor, email };
}

const call = async (at: Agent, key: string) =>
  (await ask(service, { path: `/v1/lookup/${BAKERY}`, key }, at)).status;

describe("two workers", () => {
  it("share people, sessions and keys", async () => {
    const { visitor, email } = await enter();
    for (const at of [one, other]) expect(await visitor.emailAt(at)).toBe(email);
    const taken = await Promise.all(
      Array.from({ length: 6 }, (_, index) =>
        visitor.ask(index % 2 === 0 ? one : other, "POST", "/account/first-key"),
      ),
    );
    expect(taken.map(({ status }) => status).sort()).toEqual([201, 403, 403, 403, 403, 403]);
    const { key, id } = jsonOf(taken.find(({ status }) => status === 201) ?? none) as NewAccountKey;
    for (const at of [one, other]) {
      expect(await call(at, key)).toBe(200);
      const tried = await visitor.ask(at, "POST", "/account/try", { method: "GET", path: "/v1/usage" });
      expect((jsonOf(tried) as Tried).status).toBe(200);
      const { keys } = await visitor.get<AccountKeys>(at, "/account/keys");
      expect(keys).toMatchObject([{ id, state: "live" }]);
    }
    expect((await visitor.get<AccountKeys>(one, "/account/keys")).keys).toMatchObject([
      { requests: 2, tokens: 2 },
    ]);
  });

  it("refuse a key from the next call after the other worker revoked or rolled it", async () => {
    const { visitor } = await enter();
    const first = jsonOf(await visitor.ask(one, "POST", "/account/first-key")) as NewAccountKey;
    for (const at of [one, other]) expect(await call(at, first.key)).toBe(200);
    const roll = await visitor.ask(one, "POST", `/account/keys/${first.id}/roll`, { overlapHours: 0 });
    const second = jsonOf(roll) as NewAccountKey;
    expect([await call(other, first.key), await call(other, second.key)]).toEqual([401, 200]);
    expect(await visitor.status(other, "DELETE", `/account/keys/${second.id}`)).toBe(204);
    expect(await call(one, second.key)).toBe(401);
  });

  it("together allow as many wrong passwords as one worker would", async () => {
    const { email } = await enter();
    const statuses = await Promise.all(
      Array.from({ length: 24 }, (_, index) =>
        new Visitor().status(index % 2 === 0 ? one : other, "POST", "/account/sign-in", {
          email,
          password: "een fout woord",
        }),
      ),
    );
    expect(statuses.filter((status) => status === 401)).toHaveLength(10);
    expect(statuses.filter((status) => status === 429)).toHaveLength(14);
    for (const at of [one, other]) {
      expect(await new Visitor().status(at, "POST", "/account/sign-in", { email, password: PASSWORD })).toBe(
        429,
      );
    }
  });

  it("end a session at both: by hand, by signing out, by a new password", async () => {
    const { visitor, email } = await enter();
    const signedIn = async () => {
      const device = new Visitor();
      await device.ask(one, "POST", "/account/sign-in", { email, password: PASSWORD });
      expect(await device.emailAt(other)).toBe(email);
      return device;
    };
    const [lost, left, forgotten] = [await signedIn(), await signedIn(), await signedIn()];
    const own = (await lost.get<OpenSessions>(one, "/account/sessions")).sessions.find(
      ({ isThis }) => isThis,
    );
    expect(await visitor.status(one, "DELETE", `/account/sessions/${own?.id}`)).toBe(204);
    expect(await lost.status(other, "GET", "/account/keys")).toBe(401);
    const copy = new Visitor();
    copy.cookie = left.cookie;
    expect(await left.status(other, "POST", "/account/sign-out")).toBe(204);
    expect(await copy.status(one, "GET", "/account/keys")).toBe(401);
    const change = { oldPassword: PASSWORD, newPassword: NEW_PASSWORD };
    expect(await visitor.status(other, "POST", "/account/password", change)).toBe(204);
    expect(await forgotten.status(one, "GET", "/account/keys")).toBe(401);
    expect(await visitor.emailAt(one)).toBe(email);
  });

  it("see at once that an account is deleted", async () => {
    const { visitor } = await enter();
    const { key } = jsonOf(await visitor.ask(one, "POST", "/account/first-key")) as NewAccountKey;
    const copy = new Visitor();
    copy.cookie = visitor.cookie;
    for (const at of [one, other]) expect(await call(at, key)).toBe(200);
    expect(await visitor.status(one, "POST", "/account/delete", { password: PASSWORD })).toBe(204);
    expect([await call(other, key), await copy.status(other, "GET", "/account/keys")]).toEqual([401, 401]);
  });
});

const none: Answer = { status: 0, headers: {}, text: "{}" };
