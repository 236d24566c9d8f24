import { Type } from "typebox";
import { Check } from "typebox/value";
import { Helper } from "../processes.ts";

const WhereSchema = Type.Object({ url: Type.String(), apiKey: Type.String() });

/** The KVK that our server asks during a run. */
export interface Kvk {
  readonly url: string;
  readonly apiKey: string;
  stop(): Promise<void>;
}

export async function startKvk(): Promise<Kvk> {
  const helper = new Helper(new URL("process.ts", import.meta.url));
  const where = await helper.heard();
  if (!Check(WhereSchema, where)) throw new Error("the simulated KVK did not say where it is");
  return { ...where, stop: () => helper.stop() };
}
