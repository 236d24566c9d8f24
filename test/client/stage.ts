import { demoKey, demoTestKey } from "../../src/demo/accounts.ts";
import { startDemo } from "../kit/demo.ts";
import type { Service } from "../kit/service.ts";
import { awayFromMonthEnd } from "../kit/until.ts";
import { type Installed, installClient } from "./packed.ts";

/** The demo, and the installed client. */
export interface Stage {
  readonly demo: Service;
  readonly installed: Installed;
  /** A key of the demo's largest tier. */
  readonly key: string;
  readonly testKey: string;
}

export async function openStage(): Promise<Stage> {
  await awayFromMonthEnd();
  const [demo, installed] = await Promise.all([startDemo(), installClient()]);
  return { demo, installed, key: demoKey("pro"), testKey: demoTestKey() };
}
