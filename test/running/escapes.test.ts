/** An uncaught error ends the process, but with a log line, after work in progress, and once. */
import { expect, it } from "vitest";
import { jsonOf } from "../kit/answer.ts";
import { ask } from "../kit/client.ts";
import { BAKERY } from "../kit/companies.ts";
import { startOpzoek } from "../kit/opzoek.ts";
import { parseAnswer } from "../kit/rawSocket.ts";
import { type Service, startService } from "../kit/service.ts";
import { sharedPostgres } from "../kit/sharedPostgres.ts";
import { expectSoundState } from "../kit/soundState.ts";
import { startedBatch } from "../kit/startedBatch.ts";
import { thoroughIt, variants } from "../kit/thorough.ts";
import { awayFromMonthEnd, until } from "../kit/until.ts";
import { makeWorld } from "../kit/world.ts";

const ESCAPE = new URL("../kit/escape.ts", import.meta.url).href;

const escaping = (how: string) => ({ NODE_OPTIONS: `--import=${ESCAPE}`, ESCAPE: how });

const escapes = (service: Service) =>
  service.log().filter(({ msg }) => String(msg).startsWith("uncaught error"));

/** Work in progress may take nearly two seconds. A stalled machine may use them up: the test is then repeated. */
const MAY_TAKE_MS = 1_800;
/** More than that and less than a drain by signal takes. */
const ENDS_WITHIN_MS = 6_000;
const MAX_TRIES = 5;

/**
 * Provokes an uncaught error while the last byte of a batch is missing.
 * @param rest the bytes sent once the error is logged
 */
async function escapedFrom(how: string, rest: string) {
  const world = await makeWorld({ environment: escaping(how) });
  const { key } = await world.account("plenty");
  const service = await startService(world);
  await ask(service, { path: "/v1/usage", key });
  const { socket, received } = await startedBatch(service, key);
  socket.on("error", () => {});
  const startedMs = performance.now();
  service.program.child.kill("SIGUSR2");
  await until("the error is logged", () => escapes(service).length > 0);
  socket.write(rest);
  const ended = await service.program.ended;
  return { service, ended, received: received(), tookMs: performance.now() - startedMs };
}

type Escaped = Awaited<ReturnType<typeof escapedFrom>>;

/** The first attempt that did not stall, or the last. */
async function firstOf(how: string, rest: string, wasStalled: (one: Escaped) => boolean): Promise<Escaped> {
  for (let tries = 1; ; tries++) {
    const one = await escapedFrom(how, rest);
    if (tries === MAX_TRIES || !wasStalled(one)) return one;
  }
}

it.each(variants(["throw", "reject", "again"], { ordinary: 1 }))(
  "an uncaught error is logged once with its stack and no secret, lets work in progress end, and exits with 1: %s",
  async (how) => {
    await awayFromMonthEnd();
    const wasStalled = ({ received, tookMs }: Escaped) => received === "" && tookMs >= MAY_TAKE_MS;
    const { service, ended, received } = await firstOf(how, "}", wasStalled);
    const { code, out, err } = ended;
    expect(code).toBe(1);
    const answer = parseAnswer(Buffer.from(received));
    expect(answer.status).toBe(200);
    expect(jsonOf(answer)).toMatchObject({ tokensUsed: 1 });
    expect(escapes(service)).toEqual([
      expect.objectContaining({
        level: 50,
        err: expect.objectContaining({ stack: expect.stringMatching(/this escaped.*\n\s+at .*fail/) }),
      }),
    ]);
    expect(service.log().at(-1)).toMatchObject({ msg: "stopped" });
    expect(out + err).not.toContain("opz_live_");
  },
);

thoroughIt("an uncaught error ends the process within two seconds, whatever is in progress", async () => {
  const { ended, tookMs } = await firstOf("throw", "", (one) => one.tookMs >= ENDS_WITHIN_MS);
  expect(ended.code).toBe(1);
  expect(tookMs).toBeLessThan(ENDS_WITHIN_MS);
});

it("an uncaught error in the thread of the state ends the process too: it could no longer count", async () => {
  const world = await makeWorld({ environment: escaping("thread") });
  const { key } = await world.account("plenty");
  const service = await startService(world);
  expect((await ask(service, { path: `/v1/lookup/${BAKERY}`, key })).status).toBe(200);
  service.program.child.kill("SIGUSR2");
  expect((await service.program.ended).code).toBe(1);
  const [line, ...more] = escapes(service);
  expect(more).toEqual([]);
  expect(line).toMatchObject({
    err: {
      message: expect.stringContaining("restart"),
      cause: { stack: expect.stringMatching(/this escaped/) },
    },
  });
  const again = await startService(world);
  expect(jsonOf(await ask(again, { path: "/v1/usage", key }))).toMatchObject({ tokens: { used: 1 } });
  await expectSoundState(world);
});

thoroughIt("an uncaught error in the primary process ends all workers", async () => {
  const DATABASE_URL = await (await sharedPostgres()).newDatabase("escapes");
  const world = await makeWorld({ environment: { ...escaping("throw"), DATABASE_URL, WORKERS: "2" } });
  const service = await startService(world);
  service.program.child.kill("SIGUSR2");
  expect((await service.program.ended).code).toBe(1);
  expect(escapes(service)).toHaveLength(1);
  expect(service.log().at(-1)).toMatchObject({ msg: "stopped" });
});

thoroughIt("an uncaught error ends a simulator with its stack on stderr", async () => {
  const simulator = startOpzoek(["simulate", "kvk"], { PATH: process.env.PATH, ...escaping("throw") });
  await until("it listens", () => simulator.err().includes("Ctrl-C"));
  simulator.child.kill("SIGUSR2");
  const { code, err } = await simulator.ended;
  expect(code).toBe(1);
  expect(err.match(/this escaped/g)).toHaveLength(1);
  expect(err).toMatch(/\n\s+at .*fail/);
});
