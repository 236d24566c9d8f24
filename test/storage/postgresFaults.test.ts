/** Database faults under a serving node: callers get a right answer or 503, and nothing is free of charge. */
import { Client } from "pg";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { afterFile } from "../kit/afterFile.ts";
import { type Answer, codeOf, jsonOf } from "../kit/answer.ts";
import { ask, load } from "../kit/client.ts";
import { BAKERY } from "../kit/companies.ts";
import { type DatabaseProxy, startDatabaseProxy } from "../kit/databaseProxy.ts";
import { type PostgresServer, startPostgres } from "../kit/postgres.ts";
import { parseAnswer } from "../kit/rawSocket.ts";
import { type Service, startService } from "../kit/service.ts";
import { startedBatch } from "../kit/startedBatch.ts";
import { thoroughIt } from "../kit/thorough.ts";
import { awayFromMonthEnd, until } from "../kit/until.ts";
import { makeWorld, type World } from "../kit/world.ts";

const MAX_CONNECTIONS = 30;
const CONNECTIONS = 16;
/** Long enough for a busy machine, but finite. */
const RECOVERS_WITHIN_MS = 20_000;
const ENDS_WITHIN_MS = 20_000;
const PATH = `/v1/lookup/${BAKERY}`;

let server: PostgresServer;
let isStopped = false;
let proxy: DatabaseProxy;
let url: string;
let world: World;
let service: Service;
beforeAll(async () => {
  await awayFromMonthEnd();
  server = await startPostgres(["-c", `max_connections=${MAX_CONNECTIONS}`]);
  url = await server.database("faults");
  proxy = await startDatabaseProxy(server.port);
  // Accounts are created without the proxy.
  world = await makeWorld({ environment: { DATABASE_URL: url } });
  service = await startService({ environment: { ...world.environment, DATABASE_URL: proxy.through(url) } });
  // The first request for the document waits until it is generated.
  await answersOtherCalls();
});
beforeEach(() => proxy.open());
// So that one failure does not cause others.
afterEach(async () => {
  if (isStopped) await startServer();
});

async function stopServer(): Promise<void> {
  isStopped = true;
  await server.stop();
}

async function startServer(): Promise<void> {
  await server.start();
  isStopped = false;
}

/** A caller with its own account, which records deliveries and refusals. */
class Caller {
  readonly #key: string;
  #granted = 0;
  #refused = 0;
  readonly #wrong: Answer[] = [];

  private constructor(key: string) {
    this.#key = key;
  }

  static async new(): Promise<Caller> {
    const { key } = await world.account("plenty");
    const caller = new Caller(key);
    expect((await caller.look()).status).toBe(200);
    return caller;
  }

  get granted(): number {
    return this.#granted;
  }

  get refused(): number {
    return this.#refused;
  }

  async look(): Promise<Answer> {
    const answer = await ask(service, { path: PATH, key: this.#key });
    this.#note(answer);
    return answer;
  }

  /** Calls continuously on many connections until some work ends. */
  async callDuring(work: () => Promise<void>): Promise<void> {
    let isOver = false;
    const [path, key] = [PATH, this.#key];
    function* calls() {
      while (!isOver) yield { path, key };
    }
    const onAnswer = (answer: Answer) => {
      this.#note(answer);
      return true;
    };
    const done = load(service, calls(), { connections: CONNECTIONS, pauseMs: 20, onAnswer });
    try {
      await until("calls succeed", () => this.#granted > 100);
      await work();
    } finally {
      isOver = true;
    }
    expect((await done).unanswered).toEqual([]);
  }

  /** The account's charges equal the deliveries, plus at most the calls in progress at each break. */
  async expectPaid(maxLost: number): Promise<void> {
    expect(this.#wrong).toEqual([]);
    const usage = jsonOf(await ask(service, { path: "/v1/usage", key: this.#key }));
    const { tokens } = usage as { tokens: { used: number } };
    expect(tokens.used).toBeGreaterThanOrEqual(this.#granted);
    expect(tokens.used).toBeLessThanOrEqual(this.#granted + maxLost);
  }

  /** A charged response, or a refusal with Retry-After. */
  #note(answer: Answer): void {
    if (answer.status === 200 && answer.headers["x-tokens-charged"] === "1") this.#granted += 1;
    else if (codeOf(answer) === "SERVICE_UNAVAILABLE" && Number(answer.headers["retry-after"]) > 0)
      this.#refused += 1;
    else this.#wrong.push(answer);
  }
}

const health = () => ask(service, { path: "/v1/health" });
const saysDown = () => until("health is down", async () => (await health()).status === 503);

/** The database is back: the node serves again by itself, and in time. */
async function recovers(caller: Caller): Promise<void> {
  const sinceMs = performance.now();
  await until("a call is charged", async () => (await caller.look()).status === 200);
  await until("health is good", async () => (await health()).status === 200);
  expect(performance.now() - sinceMs).toBeLessThan(RECOVERS_WITHIN_MS);
}

/** Calls that need no database are answered during the outage. */
async function answersOtherCalls(): Promise<void> {
  expect((await ask(service, { path: "/v1/openapi.json" })).status).toBe(200);
}

describe("a node", () => {
  it("recovers when its database is stopped under load and started again", async () => {
    const caller = await Caller.new();
    await caller.callDuring(async () => {
      await stopServer();
      await saysDown();
      await answersOtherCalls();
      // Calls in progress wait a while for their outcome, and succeed if the database is back by then.
      await until("a call was refused", () => caller.refused > 0);
      await startServer();
      await recovers(caller);
    });
    await caller.expectPaid(CONNECTIONS);
  });

  thoroughIt("recovers when its connections are lost repeatedly under load, as in a failover", async () => {
    const caller = await Caller.new();
    const failovers = 5;
    await caller.callDuring(async () => {
      for (let failover = 0; failover < failovers; failover++) {
        proxy.shut();
        await until("a call was refused", async () => (await caller.look()).status === 503);
        proxy.open();
        await recovers(caller);
      }
    });
    await caller.expectPaid(failovers * CONNECTIONS);
  });

  it("refuses no call when its database sessions are ended under load", async () => {
    const caller = await Caller.new();
    const other = await connected();
    await caller.callDuring(async () => {
      for (let round = 0; round < 5; round++) {
        const seen = caller.granted;
        await other.query(
          "select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'opzoek%'",
        );
        await until("calls succeed", () => caller.granted > seen + 100);
      }
    });
    expect(caller.refused).toBe(0);
    await caller.expectPaid(0);
  });

  thoroughIt("recovers when its database is silent, behind a network that drops every packet", async () => {
    const caller = await Caller.new();
    await caller.callDuring(async () => {
      proxy.fallSilent();
      await saysDown();
      await until("calls are refused", () => caller.refused > CONNECTIONS);
      await answersOtherCalls();
      proxy.open();
      await recovers(caller);
    });
    await caller.expectPaid(CONNECTIONS);
  });

  thoroughIt("works when every database response takes a second", async () => {
    const caller = await Caller.new();
    await caller.callDuring(async () => {
      proxy.delayAnswers(1_000);
      const answered = caller.granted + caller.refused;
      // The main thread is not blocked: no call that waits for the database is answered before these.
      const charged = caller.look().then(() => "charged");
      await answersOtherCalls();
      expect(await Promise.race([charged, answersOtherCalls().then(() => "free")])).toBe("free");
      await until("calls succeed", () => caller.granted + caller.refused > answered + 2 * CONNECTIONS);
      proxy.open();
      await recovers(caller);
    });
    await caller.expectPaid(2 * CONNECTIONS);
  });

  it("recovers when its database has no connection left", async () => {
    const caller = await Caller.new();
    const others: Client[] = [];
    await caller.callDuring(async () => {
      proxy.shut();
      await saysDown();
      // A session that ends later leaves its place to the node.
      const looking = await connected();
      others.push(looking);
      await until("the node's own sessions have ended", async () => {
        const { rows } = await looking.query(
          "select from pg_stat_activity where application_name like 'opzoek%'",
        );
        return rows.length === 0;
      });
      for (let isFull = false; !isFull; ) {
        await connected().then(
          (client) => others.push(client),
          () => {
            isFull = true;
          },
        );
      }
      proxy.open();
      const { refused } = caller;
      await until("calls are refused", () => caller.refused > refused + CONNECTIONS);
      await saysDown();
      await Promise.all(others.map((client) => client.end()));
      await recovers(caller);
    });
    await caller.expectPaid(CONNECTIONS);
  });
});

thoroughIt("a node stopped while its database is silent ends in time, with exit code 0", async () => {
  const environment = { ...world.environment, DATABASE_URL: proxy.through(url) };
  const stopped = await startService({ environment });
  const { key } = await world.account("plenty");
  expect((await ask(stopped, { path: PATH, key })).status).toBe(200);
  proxy.fallSilent();
  const sinceMs = performance.now();
  expect(await stopped.end("SIGTERM")).toBe(0);
  expect(performance.now() - sinceMs).toBeLessThan(ENDS_WITHIN_MS);
});

thoroughIt(
  "a node whose database goes silent during a call, and is then stopped, refuses the call and ends in time, with exit code 0",
  async () => {
    const environment = { ...world.environment, DATABASE_URL: proxy.through(url) };
    const stopped = await startService({ environment });
    const { key } = await world.account("plenty");
    expect((await ask(stopped, { path: PATH, key })).status).toBe(200);
    const { socket, received } = await startedBatch(stopped, key);
    proxy.fallSilent();
    const sinceMs = performance.now();
    const ended = stopped.end("SIGTERM");
    socket.write("}");
    expect(await ended).toBe(0);
    expect(performance.now() - sinceMs).toBeLessThan(ENDS_WITHIN_MS);
    expect(codeOf(parseAnswer(Buffer.from(received())))).toBe("SERVICE_UNAVAILABLE");
    // Call statistics cannot be written: the writes fail, or the exit does not wait for them.
    const errors = stopped.log().filter(({ level }) => level === 50);
    expect(errors.map(({ msg }) => msg)).toContainEqual(
      expect.stringMatching(/^the state (?:store is unavailable|does not respond: stopping without it)/),
    );
  },
);

/** A connection of the test. */
async function connected(): Promise<Client> {
  const client = new Client({ connectionString: url });
  client.on("error", () => {});
  await client.connect();
  afterFile(() => client.end());
  return client;
}
