import { beforeAll } from "vitest";
import type { SessionState } from "../../../src/contract/accountResources.ts";
import type { NewAccountKey } from "../../../src/contract/keyResources.ts";
import type { Answer } from "../../kit/answer.ts";
import { BEHIND_PROXY, Browser, PASSWORD, PUBLIC } from "../../kit/browser.ts";
import { BAKERY } from "../../kit/companies.ts";
import { composeInProcess, type InProcess } from "../../kit/inProcess.ts";
import type { MakeWorld } from "../../kit/world.ts";

const TIERS = {
  free: { monthlyTokens: 50, ratePerMinute: 1_000 },
  tight: { monthlyTokens: 10, ratePerMinute: 4 },
};

export interface Visitor {
  readonly browser: Browser;
  /** The account's id. */
  readonly id: string;
  readonly email: string;
}

/** A service with open sign-up, two plans of few tokens, and people who sign up. Create it in a `describe`. */
export class Visitors {
  #service: InProcess | undefined;
  #count = 0;

  constructor(makeWorld: MakeWorld) {
    beforeAll(async () => {
      const world = await makeWorld({ tiers: TIERS, environment: { SIGNUP: "open", ...BEHIND_PROXY } });
      this.#service = await composeInProcess(world);
    });
  }

  get service(): InProcess {
    if (this.#service === undefined) throw new Error("the service exists only once the tests have begun");
    return this.#service;
  }

  /** Signs up a new person; the fields are added to the sign-up request. */
  async enter(extraFields: Record<string, unknown> = {}): Promise<Visitor> {
    const browser = new Browser(this.service.app, { origin: PUBLIC });
    const email = `visitor-${++this.#count}@fabel.example`;
    await browser.enter(email, PASSWORD, extraFields);
    const { person } = await browser.get<SessionState>("/account/session");
    return { browser, id: person?.accountId ?? "", email };
  }
}

export const call = (browser: Browser, key: string, path = `/v1/lookup/${BAKERY}`): Promise<Answer> =>
  browser.ask("GET", path, undefined, { authorization: `Bearer ${key}` });

export const make = (browser: Browser, name: string, kind?: "test"): Promise<NewAccountKey> =>
  browser.post<NewAccountKey>("/account/keys", { name, ...(kind && { kind }) });
