/** A thread with a port to the house and one to the state, as one that answers calls has them; it does what a test asks of it. */
import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import { Passwords } from "../../src/accounts/passwords.ts";
import { composeHeldLive } from "../../src/app/compose/live.ts";
import { composeVerdicts } from "../../src/app/compose/vies.ts";
import { houseOver } from "../../src/app/house/houseOver.ts";
import type { Settings } from "../../src/app/settings/settings.ts";
import type { KvkNumber } from "../../src/contract/numbers.ts";
import { MinuteLimiter } from "../../src/http/minuteLimiter.ts";
import { stateOver } from "../../src/storage/thread/stateOver.ts";
import type { VatNumber } from "../../src/vat/numbers/parse.ts";

export interface AskingData {
  readonly settings: Settings;
  readonly state: MessagePort;
  readonly house: MessagePort;
}

/** What it can be asked to do. */
export type Deeds = Awaited<ReturnType<typeof open>>;
export interface Task {
  readonly id: number;
  readonly deed: keyof Deeds;
  readonly given: readonly unknown[];
}

const COMPANY_WAITS_MS = 30_000;

async function open({ settings, state: statePort, house: housePort }: AskingData) {
  const state = stateOver(statePort);
  const house = await houseOver(housePort, settings);
  const verdicts = composeVerdicts(settings, state.verdicts, house.vies.flights);
  const live = house.live && composeHeldLive(settings, state.live, house.live);
  const passwords = new Passwords({ turns: house.hashing });
  return {
    /** The verdicts as an endpoint asks for them: what is held first. */
    async verdicts(numbers: readonly VatNumber[]) {
      return Promise.all(
        numbers.map(async (number) => {
          const [held] = await verdicts.fromStore([number]);
          return held ?? (await verdicts.fromVies(number));
        }),
      );
    },
    /** The verdict that this thread gives without asking anybody. */
    async fromMemory(number: VatNumber) {
      return verdicts.fromMemory(number);
    },
    async companies(kvkNumber: KvkNumber, accountId: string, callers: number) {
      const asking = { accountId, deadlineMs: COMPANY_WAITS_MS, maxAgeMs: Number.POSITIVE_INFINITY };
      const hits = await Promise.all(
        Array.from({ length: callers }, () => live?.companies.company(kvkNumber, asking)),
      );
      return hits.map((hit) => hit?.kind);
    },
    async heldName(kvkNumber: KvkNumber) {
      return live?.companies.held(kvkNumber)?.facts?.name;
    },
    async branches(kvkNumber: KvkNumber, accountId: string) {
      const asking = { accountId, deadlineMs: COMPANY_WAITS_MS, maxAgeMs: Number.POSITIVE_INFINITY };
      return (await live?.companies.branches(kvkNumber, asking))?.kind;
    },
    /** Searches of an account that were not refused because its share is over. */
    async search(q: string, accountId: string) {
      return (await live?.searches.ask({ q, page: 1, pageSize: 10 }, accountId))?.kind;
    },
    /** How many of so many calls were let through. */
    async count(subject: string, calls: number, perMinute: number, nowMs: number) {
      const limiter = new MinuteLimiter(perMinute, () => nowMs, house.limits.keyless);
      return Array.from({ length: calls }, () => limiter.refuse(subject)).filter((one) => one === undefined)
        .length;
    },
    async shown() {
      return house.vies.shown();
    },
    async suppresses(kvkNumber: string) {
      return house.suppressed.has(kvkNumber);
    },
    /** Takes a turn at hashing, and keeps it. */
    async takeTurn() {
      return (await house.hashing.take()) !== undefined;
    },
    async hash(password: string) {
      return passwords.verify(password, await passwords.hash(password));
    },
  };
}

const port = parentPort;
const data: AskingData = workerData;
const opened = open(data);
port?.on("message", async ({ id, deed, given }: Task) => {
  const deeds = await opened;
  const does: (...given: readonly never[]) => Promise<unknown> = deeds[deed];
  try {
    port.postMessage({ id, told: await does(...(given as readonly never[])) });
  } catch (error) {
    port.postMessage({ id, failure: String(error) });
  }
});
