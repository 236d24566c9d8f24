import { Type } from "typebox";
import { forbidden } from "../../../contract/errors.ts";
import { type MonitorSettings, MonitorSettingsSchema, maxMonitorsOf } from "../../../contract/monitors.ts";
import { refTo } from "../../../contract/resources.ts";
import { known } from "../../../lib/values.ts";
import { free, type Owner, type Services } from "../../endpoint.ts";
import { SHARED } from "./resources.ts";

const SettingsRef = refTo<MonitorSettings>(MonitorSettingsSchema);
const PATH = "/v1/monitor-settings";
const MAX_TOKENS = 1_000_000_000;

export const getMonitorSettings = free({
  ...SHARED,
  method: "GET",
  path: PATH,
  summary: "Get settings and figures of monitors",
  description:
    "How many monitors the account has and may have, the changes that wait, what was spent this month, and the sources of this service with the changes that they can show (free).",
  schema: { response: SettingsRef },
  handler: async (_input, services, owner) => ({ body: await settingsOf(services, owner) }),
});

export const changeMonitorSettings = free({
  ...SHARED,
  method: "PATCH",
  path: PATH,
  summary: "Change settings of monitors",
  description:
    "Changes the given settings of the account (free; not with a test key). `null` removes `maxTokens`.",
  schema: {
    body: Type.Object({
      maxTokens: Type.Optional(
        Type.Unsafe<number | null>({
          type: ["integer", "null"],
          minimum: 0,
          maximum: MAX_TOKENS,
          description: "The maximum cost of changes in a month (UTC), in tokens. Further changes wait.",
          examples: [200],
        }),
      ),
      weeklyDigest: Type.Optional(
        Type.Boolean({ description: "Whether to send a weekly mail about the events.", examples: [true] }),
      ),
    }),
    response: SettingsRef,
  },
  read: ({ body }, { isTest }) => {
    if (isTest !== true) return body;
    throw forbidden("a test key cannot change the settings of live monitors: use a live key");
  },
  handler: async ({ maxTokens, weeklyDigest }, services, owner) => {
    await services.monitors.setAccount(owner.accountId, { maxTokens, hasDigest: weeklyDigest });
    return { body: await settingsOf(services, owner) };
  },
});

async function settingsOf({ monitors, tiers }: Services, owner: Owner): Promise<MonitorSettings> {
  const { hasDigest, maxTokens, ...figures } = await monitors.account(owner);
  const { sources, retentionDays, liveFigures } = monitors.service;
  const { companies, answeredAtMs } = await liveFigures();
  return {
    ...figures,
    ...known("maxTokens", maxTokens),
    limit: maxMonitorsOf(tiers[owner.tierName]),
    weeklyDigest: hasDigest,
    retentionDays,
    sources: sources().map(({ source, reports, asOfMs = 0, everyMs }) => {
      const lastMs = Math.max(asOfMs, answeredAtMs[source] ?? 0);
      return {
        source,
        ...(lastMs > 0 && { lastDataAt: new Date(lastMs).toISOString() }),
        reports: [...reports],
        ...(everyMs !== undefined && { roundSeconds: Math.ceil((companies * everyMs) / 1_000) }),
      };
    }),
  };
}
