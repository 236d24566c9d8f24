/** The services that this one calls. Those that are off are not loaded. */
import type { Tracing } from "../tracing/tracing.ts";
import type { SharedParts, Upstream } from "./parts.ts";
import { composeVies } from "./vies.ts";

export type Upstreams = Awaited<ReturnType<typeof composeUpstreams>>;

/** Builds them without starting their work. A new one belongs in `all`. */
export async function composeUpstreams(parts: SharedParts, tracing: Tracing | undefined) {
  const { KVK_API_KEY, KVK_OPEN_DATA_PER_MINUTE, CIR_USER, PEPPOL } = parts.settings;
  const vies = composeVies(parts, tracing);
  const live =
    KVK_API_KEY === undefined
      ? undefined
      : await (await import("./kvk.ts")).openLive(parts, tracing?.upstream("KVK"));
  const openData =
    KVK_OPEN_DATA_PER_MINUTE === 0 ? undefined : (await import("./openData.ts")).composeOpenData(parts, live);
  const insolvency =
    CIR_USER === undefined ? undefined : await (await import("./insolvency.ts")).composeInsolvency(parts);
  const peppol = PEPPOL === "off" ? undefined : (await import("./peppol.ts")).composePeppol(parts);
  const all: readonly Upstream[] = [vies, live, openData, insolvency, peppol].filter(
    (one) => one !== undefined,
  );
  return { vies, live, openData, insolvency, peppol, all };
}
