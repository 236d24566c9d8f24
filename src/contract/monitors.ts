/** Monitors: companies whose changes an account wants to hear about, and the events that report these changes. */
import { type Static, Type } from "typebox";
import { CHANGE_TYPES, type Changes, EVENT_TYPES } from "./eventTypes.ts";
import { count, flag, moment, object, resource, rows, text, textOfForm, texts, word } from "./fields.ts";
import { KVK_NUMBER_PATTERN } from "./numbers.ts";
import type { Tier } from "./tiers.ts";

export const MONITOR_BOUNDS = {
  /** Maximum numbers in one call. */
  maxNumbers: 100,
  /** Maximum entries in the metadata of a monitor, and the maximum characters of a name and of a value. */
  maxMetadata: 10,
  metadataNameLength: 40,
  metadataValueLength: 200,
  /** Maximum events in one page, and monitors. */
  maxPage: 100,
  maxMonitorPage: 500,
  /** Maximum different webhook URLs of an account. */
  maxWebhooks: 20,
  /** How long delivery of a message is retried before its webhook is disabled. */
  webhookRetryDays: 3,
  /** Maximum test messages of an account in an hour, and that wait for their delivery. */
  testsPerHour: 60,
  maxWaitingTests: 100,
} as const;

/** The number of monitors that an account of a tier may have: `maxMonitors`, by default one for each monthly token. */
export function maxMonitorsOf(tier: Tier | undefined): number {
  return tier?.maxMonitors ?? tier?.monthlyTokens ?? 0;
}

export const MONITOR_ID_PATTERN = "^mon_[0-9A-Za-z]{22}$";
export const EVENT_ID_PATTERN = "^evt_[0-9A-Za-z]{22}$";

/** Why a monitor records no events: the plan allows fewer monitors, or the account is suspended. */
export const MONITOR_PAUSE_REASONS = ["limit", "account"] as const;
export type MonitorPauseReason = (typeof MONITOR_PAUSE_REASONS)[number];

const kvkNumber = textOfForm(
  KVK_NUMBER_PATTERN,
  "KVK number: eight digits as text, including leading zeros.",
  "51234567",
);

export type Metadata = Readonly<Record<string, string>>;

export const MetadataSchema = Type.Unsafe<Metadata>({
  type: "object",
  propertyNames: { minLength: 1, maxLength: MONITOR_BOUNDS.metadataNameLength },
  additionalProperties: { type: "string", maxLength: MONITOR_BOUNDS.metadataValueLength },
  maxProperties: MONITOR_BOUNDS.maxMetadata,
  description: `Your own data about this company, returned with each event: at most ${MONITOR_BOUNDS.maxMetadata} texts of at most ${MONITOR_BOUNDS.metadataValueLength} characters, with names of at most ${MONITOR_BOUNDS.metadataNameLength}.`,
  examples: [{ debtor: "1042" }],
});

export const ChangeTypesSchema = Type.Array(
  word(CHANGE_TYPES, "The type of a change; see `GET /v1/event-types`."),
  {
    minItems: 1,
    maxItems: CHANGE_TYPES.length,
    description: "The changes to report; by default all but `company.peppol_changed`.",
    examples: [["company.moved", "company.deregistered"]],
  },
);

const ChangeTypeSchema = word(CHANGE_TYPES, "The type of a change.");

export const NotReportedSchema = Type.Array(ChangeTypeSchema, {
  description: "The wanted types that no source of this service can show; see `GET /v1/monitor-settings`.",
  examples: [["company.insolvency_changed"]],
});

export const MonitorSchema = resource("Monitor", "A company whose changes are reported.", {
  id: textOfForm(MONITOR_ID_PATTERN, "The id of the monitor.", "mon_0123456789abcdefABCDEF"),
  kvkNumber,
  status: word(
    ["active", "paused"],
    "`paused`: changes are collected, but recorded as events and charged only once it is active again. See `reason`.",
  ),
  reason: Type.Optional(
    word(
      MONITOR_PAUSE_REASONS,
      "Why it is paused. `limit`: the plan allows fewer monitors, and this is one of the newest; `account`: the account is suspended.",
    ),
  ),
  events: Type.Optional(ChangeTypesSchema),
  metadata: Type.Optional(MetadataSchema),
  webhook: Type.Optional(
    object("Where its events are sent.", {
      url: text("The URL that gets a signed POST for each event.", "https://example.com/hooks/opzoek"),
      disabledAt: Type.Optional(
        moment(
          `Present when it is disabled, because it accepted no message for ${MONITOR_BOUNDS.webhookRetryDays} days, or answered 410. Set \`webhook\` again by PATCH to enable it.`,
          "2026-11-24T12:00:00.000Z",
        ),
      ),
    }),
  ),
  createdAt: moment("When it was created.", "2026-11-21T12:00:00.000Z"),
  watchedBy: texts("The sources that show changes of this company. With none, it is not watched.", ["gleif"]),
  checkedAt: Type.Optional(moment("When it was last compared with one of them.", "2026-11-21T12:00:00.000Z")),
  notReported: Type.Optional(NotReportedSchema),
  company: Type.Optional(
    object(
      "In `GET /v1/monitors`, for as many companies a month (UTC) as the plan allows: its present data.",
      {
        name: text("Its name.", "Bakkerij De Gouden Korenaar B.V."),
        city: Type.Optional(text("Its city.", "Amsterdam")),
        isActive: flag("Whether it is active.", true),
      },
    ),
  ),
});
export type Monitor = Static<typeof MonitorSchema>;

const ChangesSchema = Type.Unsafe<Changes>({
  type: "object",
  additionalProperties: object("A changed field.", {
    previous: Type.Optional(
      Type.Unknown({
        description: "The value before; absent if there was none.",
        examples: ["Korenaar Catering"],
      }),
    ),
    current: Type.Optional(
      Type.Unknown({
        description: "The value now; absent if there is none.",
        examples: ["Bakkerij De Gouden Korenaar B.V."],
      }),
    ),
    reason: Type.Optional(
      word(["removed"], "Of an insolvency: the court has removed the case, which had not ended."),
    ),
  }),
  description:
    "The changed fields of the company with their values before and now; empty for events that report no change.",
  examples: [{ name: { previous: "Korenaar Catering", current: "Bakkerij De Gouden Korenaar B.V." } }],
});

export const ChangeEventSchema = resource("ChangeEvent", "A change of a monitored company.", {
  id: textOfForm(
    EVENT_ID_PATTERN,
    "The id of the event, the same in every delivery.",
    "evt_0123456789abcdefABCDEF",
  ),
  type: word(EVENT_TYPES, "The type of the event; see `GET /v1/event-types`."),
  kvkNumber: Type.Optional(kvkNumber),
  observedAt: moment(
    "When Opzoek saw the change. The change itself was earlier.",
    "2026-11-21T12:00:00.000Z",
  ),
  source: Type.Optional(
    object("The data that shows the change.", {
      kvk: text(
        "Its origin: `kvk-api`, `kvk-open-data`, `court-register`, `gleif`, `import:<name>` or `demo`.",
        "kvk-api",
      ),
      cachedAt: moment("The date of the data.", "2026-11-21T06:00:00.000Z"),
    }),
  ),
  changes: ChangesSchema,
  isFirstObservation: Type.Optional(
    flag(
      "Present if it was found at the first look and may be old: that the company ended or is insolvent.",
      true,
    ),
  ),
  metadata: Type.Optional(MetadataSchema),
});
export type ChangeEvent = Static<typeof ChangeEventSchema>;

export const MonitorSettingsSchema = resource(
  "MonitorSettings",
  "The account's settings and figures of monitors.",
  {
    monitors: count("Monitors of the account.", 120),
    limit: count("Monitors that the plan allows.", 1000),
    paused: count("Paused monitors.", 0),
    pending: count("Changes that wait for tokens, or for a paused monitor.", 0),
    spent: count("Tokens spent on changes this month (UTC).", 14),
    maxTokens: Type.Optional(
      count("The maximum cost of changes in a month; further changes wait. Absent if there is none.", 200),
    ),
    unread: count("Events recorded since the account page last showed them.", 3),
    weeklyDigest: flag("Whether the account gets a weekly mail about its events.", true),
    retentionDays: count("Days for which events are kept.", 90),
    sources: rows("The sources of this service.", {
      source: text("The origin of its data, as in `source.kvk` of an event.", "kvk-open-data"),
      lastDataAt: Type.Optional(moment("The date of its newest data.", "2026-11-21T06:00:00.000Z")),
      reports: Type.Array(ChangeTypeSchema, {
        description: "The changes that its data can show; of an import, those whose fields its file has.",
        examples: [["company.deregistered", "company.insolvency_changed"]],
      }),
      roundSeconds: Type.Optional(
        count("How long KVK is asked about all monitored companies, one after the other.", 60_000),
      ),
    }),
  },
);
export type MonitorSettings = Static<typeof MonitorSettingsSchema>;
