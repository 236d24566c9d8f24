import { stateExists, withState } from "../compose/state.ts";
import type { Settings } from "../settings/settings.ts";
import { type Finding, good, spanOf, warning } from "./diagnosis.ts";
import { NO_STATE } from "./kept.ts";
import { connection } from "./network.ts";

/** The register then no longer says that a company has no case. */
const OLD_MS = 3 * 86_400_000;
const NOT_SET_UP = good("not checked: CIR_USER is not set");

/** Checks whether the court's register can be reached, without a call. */
export async function courtRegister({ CIR_USER, CIR_URL, CIR_CA }: Settings): Promise<Finding> {
  if (CIR_USER === undefined) return NOT_SET_UP;
  const remedy = "check the network and CIR_URL; if its certificate is not trusted, set CIR_CA";
  return connection("the court's insolvency register", CIR_URL, remedy, CIR_CA);
}

/** The age of its cases. */
export async function insolvencies(settings: Settings, nowMs: number): Promise<Finding> {
  if (settings.CIR_USER === undefined) return NOT_SET_UP;
  if (!stateExists(settings)) return NO_STATE;
  return withState(settings, async ({ court }) => {
    const { completeAtMs, held } = (await court.courtProgress()) ?? { completeAtMs: 0, held: [] };
    if (completeAtMs === 0) {
      const remedy = "run opzoek import insolvencies: until then no company gets an answer from the register";
      return warning("the insolvency register was never loaded as a whole", remedy);
    }
    if (held.length > 0) {
      const remedy = "check the register, then run opzoek import insolvencies --allow-removals";
      return warning(
        `the court removed ${held.length} cases at once: they are hidden, but not deleted`,
        remedy,
      );
    }
    const ageMs = Math.abs(nowMs - completeAtMs);
    const shown = `the insolvency register was complete ${spanOf(ageMs)} ago; ${await court.courtDue()} cases must still be fetched`;
    const remedy = "the service's log says why it cannot be updated; companies without a case get no answer";
    return ageMs > OLD_MS ? warning(shown, remedy) : good(shown);
  });
}
