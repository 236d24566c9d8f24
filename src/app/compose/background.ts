/** The background work of a service. Several processes share it by leases in the state store. */

import { Mailer } from "../../accounts/mail/mailer.ts";
import { Outbox } from "../../accounts/mail/outbox.ts";
import { smtpPlace } from "../../accounts/mail/post.ts";
import { Notices } from "../../accounts/notices.ts";
import { AddressHashes, stateSecret } from "../../accounts/secrets.ts";
import { Upkeep } from "../../accounts/upkeep.ts";
import { freeTiers } from "../../contract/tiers.ts";
import { listLifetimes } from "../../jobs/bounds.ts";
import { ListUpkeep } from "../../jobs/listUpkeep.ts";
import { SuppressionMark } from "../../jobs/suppressionMark.ts";
import { known } from "../../lib/values.ts";
import type { LedgerQueries } from "../../metering/queries/ledger.ts";
import { MessageOutbox } from "../../webhooks/outbox.ts";
import { failingWebhooks } from "../log/failingWebhooks.ts";
import type { Log } from "../log/log.ts";
import { eraseRemoved } from "../state/eraseRemoved.ts";
import type { SharedParts, Upstream } from "./parts.ts";

const UNKNOWN_KINDS = "lists of an unknown kind wait for newer nodes: upgrade this node";

/** Builds it without starting. */
export async function composeBackground(parts: SharedParts, upstreams: readonly Upstream[]) {
  const { settings, state, logger, now, onAccountError: onError } = parts;
  const mails = await composeMails(parts);
  const notices = mails && composeNotices(parts, mails.mailer);
  const { deleteLapsed } = state.lapsed;
  const idleMs = settings.SESSION_IDLE_MINUTES * 60_000;
  const upkeep = new Upkeep({
    store: state.people,
    now,
    idleMs,
    deleteLapsed,
    onError,
  });
  const lists = await composeLists(parts);
  const loops = upstreams.flatMap((upstream) => upstream.loops ?? []);
  return {
    /** Stores mails in the state; undefined without a mail server. */
    mailer: mails?.mailer,
    /** Starts the work. Rolled keys that expired while no process ran are ended before the first call. */
    async start() {
      await warnIfAhead(state.ledger, logger);
      await upkeep.start();
      mails?.outbox.nudge();
      // No other process uses an embedded state, so what is still claimed was left by a killed process.
      if (settings.DATABASE_URL === undefined) await state.turns.freeLeases();
      lists.outbox.nudge();
      lists.upkeep.start();
      for (const loop of loops) loop.nudge();
      void notices?.now();
    },
    async close() {
      const closeMails = async () => {
        await notices?.close();
        await mails?.outbox.close();
      };
      // Concurrently, because each may wait for an unresponsive state store.
      await Promise.all([
        upkeep.stop(),
        lists.outbox.close(),
        lists.upkeep.close(),
        ...loops.map((loop) => loop.close()),
        closeMails(),
      ]);
    },
  };
}

/** Mails people about their allowance and their webhooks. */
function composeNotices(parts: SharedParts, mailer: Mailer) {
  const { settings, state, onAccountError: onError, allowanceCheckIntervalMs } = parts;
  return new Notices({
    store: state.people,
    mailer,
    addresses: new AddressHashes(state.people),
    tiers: settings.TIERS_FILE,
    onError,
    ...known("pollEveryMs", allowanceCheckIntervalMs),
  });
}

/** Stores mails in the state and sends them; undefined without a mail server. */
async function composeMails({ settings, state: { people: store }, logger, recorder }: SharedParts) {
  const { SMTP_URL, MAIL_FROM, PUBLIC_URL } = settings;
  if (SMTP_URL === undefined || PUBLIC_URL === undefined) return undefined;
  const { smtpPost } = await import("../../accounts/mail/smtp.ts");
  const from = MAIL_FROM ?? `opzoek@${new URL(PUBLIC_URL).hostname}`;
  const { host, port } = smtpPlace(SMTP_URL);
  const onLost = (reason: string) => {
    recorder?.mailFailures.inc({ what: "lost" });
    logger.error({ reason, host, port }, "a mail could not be sent");
  };
  const outbox = new Outbox({
    store,
    post: smtpPost(SMTP_URL, from),
    publicUrl: PUBLIC_URL,
    onLost,
    onDelayed: (reason) => logger.error({ reason, host, port }, "a mail could not be sent yet: trying again"),
    onFailed: () => recorder?.mailFailures.inc({ what: "try" }),
    onError: (error) => logger.error({ err: error }, "the mail queue cannot be read"),
  });
  return { outbox, mailer: new Mailer({ store, nudge: () => outbox.nudge(), onLost }) };
}

/** Sends messages about ended lists, and maintains their results. */
async function composeLists(parts: SharedParts) {
  const { settings, state, suppressed, logger, failures, listOptions = {} } = parts;
  const { openMessagePost } = await import("../../webhooks/post.ts");
  const { nameServers, pollEveryMs, webhookAgainAfterMs } = listOptions;
  const shared = {
    onError: (error: unknown) => failures.failed(error, "an operation on lists failed"),
    ...known("pollEveryMs", pollEveryMs),
  };
  const outbox = new MessageOutbox({
    ...shared,
    store: state.webhooks,
    onFailed: failingWebhooks((facts) => logger.warn(facts, "a webhook does not accept messages")),
    freeTiers: freeTiers(settings.TIERS_FILE),
    post: openMessagePost(settings.WEBHOOK_NETWORKS, { nameServers }),
    serviceSecret: stateSecret(state.people, "webhooks"),
    onLost: (accountId, reason) =>
      logger.warn(
        { accountId, reason },
        "a webhook message was dropped: the webhook did not accept it in time, or is gone",
      ),
    ...known("tryAgainAfterMs", webhookAgainAfterMs),
  });
  const upkeep = new ListUpkeep({
    ...shared,
    store: state.jobs,
    sweepDeleted: state.people.sweepDeleted,
    eraseRemoved: () => eraseRemoved(state),
    suppressed,
    mark: new SuppressionMark({ store: state.suppressed, suppressed }),
    lifetimes: listLifetimes(settings.TIERS_FILE),
    onUnknownKinds: (kinds) => logger.warn({ kinds }, UNKNOWN_KINDS),
  });
  return { outbox, upkeep };
}

/** Logs if rate windows or months in the state are ahead of the clock: the clock was wrong then or is wrong now. */
async function warnIfAhead(ledger: LedgerQueries, logger: Log["logger"]): Promise<void> {
  try {
    const ahead = await ledger.aheadOfClock();
    if (ahead === undefined) return;
    const { keys, accounts } = ahead;
    const [now, latest] = [ahead.nowMs, ahead.latestMs].map((ms) => new Date(ms).toISOString());
    logger.warn(
      { keys, accounts, now, latest },
      "the state is ahead of its clock: check the clock; keys and accounts are corrected by their next call",
    );
  } catch (error) {
    // Reading every key may take too long for the database; decisions on calls do not depend on it.
    logger.warn({ err: error }, "could not check whether the state is ahead of its clock");
  }
}
