/** The Peppol network. Loaded only if it is on. */
import { PEPPOL_ORIGIN } from "../../contract/peppol.ts";
import { PeppolClient } from "../../peppol/client.ts";
import { participantsOf } from "../../peppol/participants.ts";
import { PeppolRechecks } from "../../peppol/recheck.ts";
import { PeppolVerdicts } from "../../peppol/verdicts.ts";
import { loopOf } from "./monitorSources.ts";
import type { SharedParts, Upstream } from "./parts.ts";

/** Builds it without starting its work. */
export function composePeppol(parts: SharedParts) {
  const { settings, state, registry, logger, recorder, now } = parts;
  const client = new PeppolClient({
    zone: settings.PEPPOL_ZONE,
    nameServers: settings.PEPPOL_DNS.length === 0 ? undefined : settings.PEPPOL_DNS,
    perSecond: settings.PEPPOL_PER_SECOND,
    turns: state.turns,
    networks: settings.PEPPOL_NETWORKS,
    onChange: (isOpen, reason) =>
      isOpen
        ? logger.warn({ reason }, "the Peppol network does not answer: questions are paused")
        : logger.info("the Peppol network answers again"),
    onTried: (outcome) => recorder?.peppolQuestions.inc({ outcome }),
  });
  const verdicts = new PeppolVerdicts({
    store: state.peppol,
    client,
    participantsOf: (kvkNumber) => participantsOf(kvkNumber, registry.current?.facts(kvkNumber)?.facts),
    hasRegistry: () => registry.current !== undefined,
    now,
  });
  const rechecks = new PeppolRechecks({ store: state.peppol, verdicts, now });
  return {
    metricsName: "peppol",
    health: { peppol: () => client.health },
    breakers: () => [client.shown],
    loops: [
      loopOf(parts, { name: "peppol", everyMs: 0, isReady: () => client.health === "up", work: rechecks }),
    ],
    monitors: { source: PEPPOL_ORIGIN },
    verdicts,
    close: () => client.close(),
  } satisfies Upstream & Record<string, unknown>;
}
