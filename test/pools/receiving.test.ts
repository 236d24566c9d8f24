/** Lists that free accounts send slowly, and dry runs, leave places for others. */
import { connect, type Socket } from "node:net";
import { beforeAll, expect, it, onTestFinished } from "vitest";
import { POOLS } from "../../src/contract/pools.ts";
import { send } from "../jobs/lists.ts";
import { codeOf, messageOf, numberIn } from "../kit/answer.ts";
import { parseAnswer } from "../kit/rawSocket.ts";
import { type Service, startService } from "../kit/service.ts";
import { until } from "../kit/until.ts";
import { makeWorld, PLENTY, type TestAccount, type World } from "../kit/world.ts";

/** Of each account: twice the places that a thread has for all. */
const UPLOADS = 2 * POOLS.receiving.places;
const ACCOUNTS = 3;
const NUMBER = '"51000000"\n';

let world: World;
let service: Service;
beforeAll(async () => {
  world = await makeWorld({ tiers: { trial: { ...PLENTY, isFree: true } } });
  service = await startService(world);
});

/** A list of which only a part comes in. */
function slowUpload(key: string, query: string) {
  const socket: Socket = connect({ port: service.port, host: "127.0.0.1" });
  onTestFinished(() => void socket.destroy());
  let received = "";
  socket.on("data", (part) => {
    received += part.toString("latin1");
  });
  socket.on("error", () => {});
  socket.write(
    `POST /v1/jobs?${query} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${key}\r\ncontent-type: application/x-ndjson\r\ncontent-length: 1000000\r\n\r\n${NUMBER}`,
  );
  return { socket, answer: () => (received === "" ? undefined : parseAnswer(Buffer.from(received))) };
}

it.each([
  ["kind=lookup", POOLS.receiving.freeTiers],
  ["kind=lookup&dryRun=true", POOLS.dryRuns.freeTiers],
])("%s of free accounts, sent slowly, leave places for a customer", async (query, share) => {
  const accounts: TestAccount[] = [];
  while (accounts.length < ACCOUNTS) accounts.push(await world.account("trial"));
  const uploads = accounts.flatMap(({ key }) =>
    Array.from({ length: UPLOADS }, () => slowUpload(key, query)),
  );
  const refused = () => uploads.flatMap(({ answer }) => answer() ?? []);
  // As many as would find no place if free accounts could have all.
  await until("the places are taken", () => refused().length >= uploads.length - POOLS.receiving.places);
  const { key: customer } = await world.account("plenty");
  const taken = await send(service, customer, ["51000000"]);
  const priced = await send(service, customer, ["51000000"], "kind=lookup&dryRun=true");
  expect([taken.status, priced.status]).toEqual([202, 200]);
  await until("the others are refused", () => refused().length === uploads.length - share);
  expect(new Set(refused().map(codeOf))).toEqual(new Set(["SERVICE_UNAVAILABLE"]));
  expect(new Set(refused().map((answer) => numberIn(answer, "retry-after")))).toEqual(new Set([5]));
  expect(refused().some((answer) => messageOf(answer).includes("of this account"))).toBe(true);
  // Those that hang up leave their places.
  for (const { socket } of uploads) socket.destroy();
  const [first] = accounts;
  await until(
    "an account has its place again",
    async () => (await send(service, first?.key ?? "", ["51000000"], query)).status < 500,
  );
});

it("two dry runs of an account at most are received at once, for no token", async () => {
  const { key } = await world.account("plenty");
  const uploads = Array.from({ length: POOLS.dryRuns.perAccount }, () =>
    slowUpload(key, "kind=lookup&dryRun=true"),
  );
  const third = await until("a third one is refused", async () => {
    const answer = await send(service, key, ["51000000"], "kind=lookup&dryRun=true");
    return answer.status === 503 && answer;
  });
  expect([codeOf(third), numberIn(third, "retry-after"), numberIn(third, "x-tokens-charged")]).toEqual([
    "SERVICE_UNAVAILABLE",
    5,
    0,
  ]);
  expect(uploads.map(({ answer }) => answer())).toEqual([undefined, undefined]);
});
