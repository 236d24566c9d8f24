/** Calls about monitors to the app in this process. */
import type { ChangeEvent, Monitor } from "../../src/contract/monitors.ts";
import { type Answer, inject, jsonOf } from "../kit/answer.ts";
import { composeInProcess, type InProcess } from "../kit/inProcess.ts";
import { makeWorld, type TestAccount } from "../kit/world.ts";

export class MonitorCalls {
  readonly #app: InProcess["app"];
  readonly #key: string;

  constructor({ app }: Pick<InProcess, "app">, key: string) {
    this.#app = app;
    this.#key = key;
  }

  call(method: string, path: string, body?: unknown): Promise<Answer> {
    return inject(this.#app, { method, path, key: this.#key, body });
  }

  post(body: unknown): Promise<Answer> {
    return this.call("POST", "/v1/monitors", body);
  }

  /** Adds monitors that must be accepted. */
  async added(kvkNumbers: readonly string[], fields: object = {}): Promise<readonly Monitor[]> {
    const answer = await this.post({ kvkNumbers, ...fields });
    const { results, failed } = jsonOf(answer) as { results: Monitor[]; failed: unknown[] };
    if (answer.status !== 200 || failed.length > 0) throw new Error(`not monitored: ${answer.text}`);
    return results;
  }

  async list(query = ""): Promise<{ readonly monitors: readonly Monitor[]; readonly next?: string }> {
    return jsonOf(await this.call("GET", `/v1/monitors${query}`)) as { monitors: Monitor[]; next?: string };
  }

  async changes(query = ""): Promise<{ readonly events: readonly ChangeEvent[]; readonly next: string }> {
    const answer = await this.call("GET", `/v1/changes${query}`);
    if (answer.status !== 200) throw new Error(`no changes: ${answer.text}`);
    return jsonOf(answer) as { events: ChangeEvent[]; next: string };
  }
}

/** A service with tiers of few monitors. */
export async function monitorService(): Promise<InProcess> {
  const tiers = {
    three: { monthlyTokens: 1_000, ratePerMinute: 1_000, maxMonitors: 3 },
    one: { monthlyTokens: 1, ratePerMinute: 1_000 },
  };
  return composeInProcess(await makeWorld({ tiers }));
}

/** The calls of a new account. */
export async function callerOf(
  service: InProcess,
  tierName = "plenty",
): Promise<MonitorCalls & { readonly account: TestAccount }> {
  const account = await service.account(tierName);
  return Object.assign(new MonitorCalls(service, account.key), { account });
}
