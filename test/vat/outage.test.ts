/** VIES goes down under load and recovers: callers get the previous answer at once, and later the new one. */
import { expect, it } from "vitest";
import { startViesSimulator, type ViesSimulator } from "../../src/demo/vies/server.ts";
import { afterFile } from "../kit/afterFile.ts";
import { type Answer, codeOf, jsonOf, numberIn, type TestRequest } from "../kit/answer.ts";
import { ask, load } from "../kit/client.ts";
import { type Service, startService } from "../kit/service.ts";
import { awayFromMonthEnd, until } from "../kit/until.ts";
import { validationOf, verdictIn } from "../kit/vat.ts";
import { fictionalRsins, REGISTERED, startVies } from "../kit/vies.ts";
import { makeWorld } from "../kit/world.ts";

const CONNECTIONS = 16;
/** Long: a test in which a caller waits for VIES fails. */
const LONG_MS = "30000";
const SHORT_MS = "1000";

const rsins = fictionalRsins(60);
const HELD = rsins.slice(0, 40).map((rsin) => `NL${rsin}B01`);
const NEW = rsins.slice(40).map((rsin) => `NL${rsin}B01`);
const companyOf = () => REGISTERED;

interface Running {
  readonly vies: ViesSimulator;
  readonly service: Service;
  readonly key: string;
}

/** A service with a verdict on each of {@link HELD}. */
async function holding(deadlineMs: string): Promise<Running> {
  const vies = await startVies({ companyOf });
  const world = await makeWorld({ environment: { VIES_URL: vies.url, VIES_DEADLINE_MS: deadlineMs } });
  const { key } = await world.account("plenty");
  await awayFromMonthEnd();
  const service = await startService(world);
  const calls = HELD.map((number) => ({ path: validationOf(number), key }));
  await until("every number is cached", async () => {
    const { answers } = await load(service, calls, { connections: 8 });
    return answers.every((answer) => answer.text.includes('"validated"'));
  });
  return { vies, service, key };
}

/** Calls that require a new answer, until stopped. */
function* asking(key: string, isOver: () => boolean): Generator<TestRequest> {
  for (let index = 0; !isOver(); index++) {
    yield { path: `${validationOf(HELD[index % HELD.length] ?? "")}?maxAge=0`, key };
  }
}

/** Returns whether the service has logged since now that it stopped calling an upstream. */
function backoffIsLogged(service: Service, name: string): () => boolean {
  const from = service.log().length;
  return () =>
    service
      .log()
      .slice(from)
      .some(({ what }) => what === name);
}

async function usedOf(service: Service, key: string): Promise<number> {
  const usage = jsonOf(await ask(service, { path: "/v1/usage", key })) as { tokens: { used: number } };
  return usage.tokens.used;
}

async function healthOf(service: Service): Promise<unknown> {
  return jsonOf(await ask(service, { path: "/v1/health" }));
}

it.concurrent("a restart of VIES causes no error, no refusal and no double charge, and health reports it", async () => {
  const { vies, service, key } = await holding(LONG_MS);
  const { port } = vies;
  const usedBefore = await usedOf(service, key);
  expect(await healthOf(service)).toMatchObject({ status: "ok", services: { vies: "up" } });
  const course = { isOver: false, validated: 0, stale: 0 };
  const loaded = load(
    service,
    asking(key, () => course.isOver),
    {
      connections: CONNECTIONS,
      onAnswer: (answer) => {
        if (answer.text.includes('"stale"')) course.stale += 1;
        else course.validated += 1;
        return true;
      },
    },
  );
  await until("VIES answers under load", () => course.validated >= 100);
  await vies.stop();
  await until("callers get the previous answer", () => course.stale >= 500);
  await until("health reports it", async () => {
    const health = await healthOf(service);
    return JSON.stringify(health).includes('"vies":"down"') && health;
  });
  expect(await healthOf(service)).toMatchObject({ status: "degraded", services: { vies: "down" } });

  const back = await startViesSimulator({ port, companyOf });
  afterFile(() => back.stop());
  const before = course.validated;
  await until("callers get new answers again", () => course.validated >= before + 200, 120_000);
  course.isOver = true;
  const { answers, unanswered } = await loaded;
  // Health trusts VIES's own page for half a minute, so earlier results count too.
  await until(
    "health reports the recovery",
    async () => JSON.stringify(await healthOf(service)).includes('"vies":"up"'),
    90_000,
  );

  expect(unanswered).toEqual([]);
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  const verdicts = answers.map(verdictIn);
  expect(new Set(verdicts.map(({ status }) => status))).toEqual(new Set(["validated", "stale"]));
  expect(new Set(verdicts.map(({ valid, name }) => `${valid} ${name}`))).toEqual(
    new Set([`true ${REGISTERED.name}`]),
  );
  expect(new Set(answers.map((answer) => numberIn(answer, "x-tokens-charged")))).toEqual(new Set([1]));
  expect(await usedOf(service, key)).toBe(usedBefore + answers.length);
});

it.concurrent("an upstream that failed is not called for a while: no caller waits, and it receives at most one probe", async () => {
  const { vies, service, key } = await holding(LONG_MS);
  const isOpen = backoffIsLogged(service, "vies");
  vies.setFault("*", { kind: "reset" });
  await load(service, asking(key, isOpen), { connections: CONNECTIONS });
  vies.setFault("*", { kind: "hang" });
  const before = vies.counts.all.requests;

  // The probe call waits; it is answered last.
  const calls = [...HELD, ...NEW, ...HELD, ...NEW].map((number) => ({
    path: `${validationOf(number)}?maxAge=0`,
    key,
  }));
  const early: Answer[] = [];
  const loaded = load(service, calls, {
    connections: CONNECTIONS,
    onAnswer: (answer) => early.push(answer) > 0,
  });
  await until("all others are answered", () => early.length >= calls.length - 1);
  expect(vies.counts.all.requests - before).toBeLessThanOrEqual(1);
  for (const answer of early) {
    if (answer.status === 200) expect(verdictIn(answer)).toMatchObject({ status: "stale", valid: true });
    else expect(codeOf(answer)).toBe("UPSTREAM_ERROR");
    expect(numberIn(answer, "x-tokens-charged")).toBe(answer.status === 200 ? 1 : 0);
  }
  vies.clearFaults();
  await loaded;
  const [number = ""] = NEW;
  await until("VIES is queried again", async () => {
    const answer = await ask(service, { path: validationOf(number), key });
    return answer.status === 200 && verdictIn(answer).status === "validated";
  });
});

it.concurrent("a hanging state delays callers up to the deadline, then not at all, and those of other states never", async () => {
  const { vies, service, key } = await holding(SHORT_MS);
  const [isOpen, isAllOpen] = [backoffIsLogged(service, "NL"), backoffIsLogged(service, "vies")];
  vies.setFault("NL", { kind: "hang" });
  const { answers } = await load(service, asking(key, isOpen), { connections: CONNECTIONS });
  expect(new Set(answers.map((answer) => verdictIn(answer).status))).toEqual(new Set(["stale"]));
  expect(isAllOpen()).toBe(false);
  const polish = () => ask(service, { path: `${validationOf("PL8567346215")}?maxAge=0`, key });
  await until("Poland answers", async () => {
    const answer = await polish();
    return answer.status === 200 && verdictIn(answer).status === "validated";
  });
  vies.clearFaults();
  const dutch = () => ask(service, { path: `${validationOf(HELD[0] ?? "")}?maxAge=0`, key });
  await until("the Netherlands answer again", async () => verdictIn(await dutch()).status === "validated");
});
