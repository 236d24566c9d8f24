import { connect, type Socket } from "node:net";
import { expect, onTestFinished } from "vitest";
import { POOLS } from "../../src/contract/pools.ts";
import { send } from "../jobs/lists.ts";
import { type Answer, codeOf, messageOf, numberIn } from "../kit/answer.ts";
import { parseAnswer } from "../kit/rawSocket.ts";
import type { Service } from "../kit/service.ts";
import { until } from "../kit/until.ts";
import type { TestAccount, World } from "../kit/world.ts";

/** Of each account: twice the places that a thread has for all. */
const UPLOADS = 2 * POOLS.receiving.slots;
const ACCOUNTS = 3;
const NUMBER = '"51000000"\n';

export interface SlowUpload {
  readonly socket: Socket;
  readonly answer: () => Answer | undefined;
}

/** A list that is sent only in part. It is aborted after the test. */
export function slowUpload({ port }: Pick<Service, "port">, key: string, query: string): SlowUpload {
  const socket = connect({ port, host: "127.0.0.1" });
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

/** Free accounts send more lists than there are places, slowly: they get `share` places, and a customer's lists are received. */
export async function expectPlacesForCustomers(
  world: World,
  service: Pick<Service, "port">,
  query: string,
  share: number,
): Promise<void> {
  const accounts: TestAccount[] = [];
  while (accounts.length < ACCOUNTS) accounts.push(await world.account("trial"));
  const uploads = accounts.flatMap(({ key }) =>
    Array.from({ length: UPLOADS }, () => slowUpload(service, key, query)),
  );
  const refused = () => uploads.flatMap(({ answer }) => answer() ?? []);
  // As many as would find no place if free accounts could have all.
  await until("the places are taken", () => refused().length >= uploads.length - POOLS.receiving.slots);
  const { key: customer } = await world.account("plenty");
  const taken = await send(service, customer, ["51000000"]);
  const priced = await send(service, customer, ["51000000"], "kind=lookup&dryRun=true");
  expect([taken.status, priced.status]).toEqual([202, 200]);
  await until("the others are refused", () => refused().length === uploads.length - share);
  expect(new Set(refused().map(codeOf))).toEqual(new Set(["SERVICE_UNAVAILABLE"]));
  expect(new Set(refused().map((answer) => numberIn(answer, "retry-after")))).toEqual(new Set([5]));
  expect(refused().some((answer) => messageOf(answer).includes("from this account"))).toBe(true);
  // Uploads that hang up release their places.
  for (const { socket } of uploads) socket.destroy();
  const [first] = accounts;
  await until(
    "an account has its place again",
    async () => (await send(service, first?.key ?? "", ["51000000"], query)).status < 500,
  );
}
