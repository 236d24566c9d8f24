import { Type } from "typebox";
import { Check } from "typebox/value";
import { Helper } from "../processes.ts";

const WhereSchema = Type.Object({ url: Type.String(), controlUrl: Type.String() });

/** The VIES that our server asks during a run. */
export interface Vies {
  readonly url: string;
  /** Makes it stop answering, or answer again. */
  setHanging(isHanging: boolean): Promise<void>;
  stop(): Promise<void>;
}

export async function startVies(): Promise<Vies> {
  const helper = new Helper(new URL("process.ts", import.meta.url));
  const where = await helper.heard();
  if (!Check(WhereSchema, where)) throw new Error("the simulated VIES did not say where it is");
  return {
    url: where.url,
    async setHanging(isHanging) {
      const { ok, status } = await fetch(`${where.controlUrl}/faults/*`, {
        method: isHanging ? "PUT" : "DELETE",
        ...(isHanging && { body: JSON.stringify({ kind: "hang" }) }),
      });
      if (!ok) throw new Error(`the simulated VIES answered ${status} to a change of its faults`);
    },
    stop: () => helper.stop(),
  };
}
