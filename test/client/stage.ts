import { demoKey, demoTestKey } from "../../src/demo/accounts.ts";
import { type Service, startService } from "../kit/service.ts";
import { awayFromMonthEnd } from "../kit/until.ts";
import { makeWorld } from "../kit/world.ts";
import { type Installed, installClient } from "./packed.ts";

/** The demo, and the client beside it. */
export interface Stage {
  readonly demo: Service;
  readonly installed: Installed;
  /** A key of the demo's largest tier. */
  readonly key: string;
  readonly testKey: string;
}

export async function openStage(): Promise<Stage> {
  await awayFromMonthEnd();
  const { environment } = await makeWorld({ companies: [], environment: { VIES_DEADLINE_MS: "30000" } });
  const [demo, installed] = await Promise.all([startService({ environment }, ["demo"]), installClient()]);
  return { demo, installed, key: demoKey("pro"), testKey: demoTestKey() };
}
