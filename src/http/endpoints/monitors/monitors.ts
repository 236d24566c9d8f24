import { Type } from "typebox";
import { type ApiError, invalid } from "../../../contract/errors.ts";
import type { ChangeType } from "../../../contract/eventTypes.ts";
import { count, text } from "../../../contract/fields.ts";
import {
  ChangeTypesSchema,
  type Metadata,
  MetadataSchema,
  MONITOR_BOUNDS,
  NotReportedSchema,
} from "../../../contract/monitors.ts";
import { PRICES } from "../../../contract/prices.ts";
import { known } from "../../../lib/values.ts";
import { NO_REGISTRY, noAnswer } from "../../../lookup/answer.ts";
import { monitorResource } from "../../../monitors/monitorResource.ts";
import { free } from "../../endpoint.ts";
import { FailedItem } from "../batch.ts";
import {
  MonitorIdParameter,
  MonitorRef,
  monitorNotFound,
  pageLimit,
  readFields,
  SHARED,
  tooManyTests,
  webhookRefused,
} from "./resources.ts";

const WEBHOOK =
  "A URL that gets a signed POST (Standard Webhooks) for each event. Requires a secret: see `POST /v1/webhook-secret`.";
/** An empty webhook is a mistake that must not go unnoticed. */
const WEBHOOK_RULE = { examples: ["https://example.com/hooks/opzoek"], "x-kept-empty": true };

/** The place of a monitor in the order of pages. */
const PLACE = "1795219200000.mon_0123456789abcdefABCDEF";
const PLACE_PATTERN = "^[0-9]{1,15}\\.mon_[0-9A-Za-z]{22}$";

/** Adds monitors, or changes those that exist. */
export const addMonitors = free({
  ...SHARED,
  method: "POST",
  path: "/v1/monitors",
  summary: "Monitor companies",
  tokens: `0; ${PRICES["monitors.change"]} for each change when it is recorded`,
  description: `Monitors up to ${MONITOR_BOUNDS.maxNumbers} companies (free; counts once towards the rate limit). An account has one monitor for each company: if it exists, the given fields are changed. KVK is not called. A company that is unknown here is NOT_FOUND. More monitors than the plan allows are FORBIDDEN: as many as its monthly tokens unless the operator chose another limit. For longer lists, send a list of kind \`monitor\` to \`POST /v1/jobs\`.`,
  tool: {
    name: "add_monitors",
    title: "Monitor Dutch companies for changes",
    description: `Monitors up to ${MONITOR_BOUNDS.maxNumbers} companies by their KVK numbers: from now on their changes (name, address, legal form, activities, branches, deregistration, insolvency) appear in list_changes. If a company has a monitor, the given fields are changed. Adding is free; each change that is reported costs ${PRICES["monitors.change"]} token.`,
    isOpenWorld: false,
    isChanging: true,
  },
  schema: {
    body: Type.Object({
      // A number with a trailing line break must fail alone.
      kvkNumbers: Type.Array(Type.String({ "x-multiline": true }), {
        minItems: 1,
        maxItems: MONITOR_BOUNDS.maxNumbers,
        description: "KVK numbers, eight digits each.",
        examples: [["51234567", "09876543"]],
      }),
      events: Type.Optional(ChangeTypesSchema),
      metadata: Type.Optional(MetadataSchema),
      webhook: Type.Optional(Type.String({ description: WEBHOOK, ...WEBHOOK_RULE })),
    }),
    response: Type.Object({
      results: Type.Array(MonitorRef, { description: "The monitors, in the order of the request." }),
      failed: Type.Array(FailedItem, {
        description: "The numbers without a monitor, in the order of the request.",
        examples: [[]],
      }),
      alreadyEnded: count("Companies in `results` that are known to have ended: an event each, 1 token.", 0),
      alreadyInsolvent: count(
        "Companies in `results` that are known to be insolvent: an event each, 1 token.",
        0,
      ),
      notReported: NotReportedSchema,
    }),
  },
  read: ({ body: { kvkNumbers, ...fields } }, { monitors }) => ({
    kvkNumbers: [...new Set(kvkNumbers)],
    fields: readFields(fields, (url) => monitors.problemOfWebhook(url)),
  }),
  handler: async ({ kvkNumbers, fields }, { monitors }, owner) => {
    const added = await monitors.add(owner, kvkNumbers, fields);
    if (typeof added === "string") throw webhookRefused(added);
    // Without a registry no company is known, which says nothing about the numbers.
    if (added.some((one) => "error" in one && one.error.code === "SERVICE_UNAVAILABLE")) {
      throw noAnswer(NO_REGISTRY);
    }
    const { service } = monitors;
    const results = added.flatMap((one) => ("monitor" in one ? [monitorResource(one.monitor, service)] : []));
    const failed = added.filter((one) => "error" in one);
    const known = (fact: ChangeType) =>
      added.filter((one) => "facts" in one && one.facts.includes(fact)).length;
    const alreadyEnded = known("company.deregistered");
    const alreadyInsolvent = known("company.insolvency_changed");
    const missing = new Set(results.flatMap((monitor) => monitor.notReported ?? []));
    return { body: { results, failed, alreadyEnded, alreadyInsolvent, notReported: [...missing] } };
  },
});

/** The monitors of an account. */
export const listMonitors = free({
  ...SHARED,
  method: "GET",
  path: "/v1/monitors",
  summary: "List monitors",
  description: "The monitors of the account, oldest first (free).",
  tool: {
    name: "list_monitors",
    title: "List monitored companies",
    description:
      "The monitored companies, oldest first, with the status of each monitor. If next is present, call again with it as after. Costs no tokens.",
    isOpenWorld: false,
  },
  schema: {
    querystring: Type.Object({
      after: Type.Optional(
        Type.Unsafe<string>({
          type: "string",
          pattern: PLACE_PATTERN,
          description: "The `next` of the previous page.",
          examples: [PLACE],
          "x-rule": "the `next` of the previous page",
        }),
      ),
      limit: pageLimit(MONITOR_BOUNDS.maxMonitorPage),
    }),
    response: Type.Object({
      monitors: Type.Array(MonitorRef, { description: "The monitors, oldest first." }),
      next: Type.Optional(text("Pass it as `after` to get the next page; absent on the last one.", PLACE)),
    }),
  },
  handler: async ({ query: { after = "", limit } }, { monitors }, owner) => {
    const page = await monitors.list(owner, after, limit);
    const numbers = page.monitors.map(({ kvkNumber }) => kvkNumber);
    const companies = await monitors.companies(owner, numbers);
    const shown = page.monitors.map((monitor) => {
      const { name, address, isActive } = companies.get(monitor.kvkNumber) ?? {};
      const company = name !== undefined && { company: { name, ...known("city", address?.city), isActive } };
      return { ...monitorResource(monitor, monitors.service), ...company };
    });
    return { body: { monitors: shown, ...known("next", page.after) } };
  },
});

const PATH = "/v1/monitors/:monitorId";
const params = Type.Object({ monitorId: MonitorIdParameter });

export const getMonitor = free({
  ...SHARED,
  method: "GET",
  path: PATH,
  summary: "Get a monitor",
  description: "The monitor (free).",
  schema: { params, response: MonitorRef },
  handler: async ({ params: { monitorId } }, { monitors }, owner) => {
    const monitor = await monitors.get(owner, monitorId);
    if (monitor === undefined) throw monitorNotFound(monitorId);
    return { body: monitorResource(monitor, monitors.service) };
  },
});

const nullable = <Value>(schema: object, description: string) =>
  Type.Optional(
    Type.Unsafe<Value | null>({
      ...schema,
      type: [Object(schema).type, "null"],
      description,
    }),
  );

export const changeMonitor = free({
  ...SHARED,
  method: "PATCH",
  path: PATH,
  summary: "Change a monitor",
  description:
    "Changes the given fields (free). `null` removes a field. Setting `webhook` also enables a disabled webhook.",
  schema: {
    params,
    body: Type.Object({
      events: nullable<readonly ChangeType[]>(
        ChangeTypesSchema,
        "The changes to report; `null` reports all.",
      ),
      metadata: nullable<Metadata>(MetadataSchema, "Your own data about this company; `null` removes it."),
      webhook: nullable<string>({ type: "string", ...WEBHOOK_RULE }, `${WEBHOOK} \`null\` removes it.`),
    }),
    response: MonitorRef,
  },
  read: ({ params: { monitorId }, body }, { monitors }) => ({
    monitorId,
    fields: readFields(body, (url) => monitors.problemOfWebhook(url)),
  }),
  handler: async ({ monitorId, fields }, { monitors }, owner) => {
    const changed = await monitors.change(owner, monitorId, fields);
    if (changed === undefined) throw monitorNotFound(monitorId);
    if (typeof changed === "string") throw webhookRefused(changed);
    return { body: monitorResource(changed, monitors.service) };
  },
});

export const removeMonitor = free({
  ...SHARED,
  method: "DELETE",
  path: PATH,
  summary: "Remove a monitor",
  description:
    "Removes the monitor and its changes that wait for payment (free). Its events can still be read.",
  schema: {
    params,
    response: Type.Object({
      id: text("The id of the removed monitor.", "mon_0123456789abcdefABCDEF"),
      isRemoved: Type.Boolean({ description: "Always true.", examples: [true] }),
    }),
  },
  handler: async ({ params: { monitorId } }, { monitors }, owner) => {
    if (!(await monitors.remove(owner, monitorId))) throw monitorNotFound(monitorId);
    return { body: { id: monitorId, isRemoved: true } };
  },
});

/** Sends a test event to the webhook of a monitor. */
export const testMonitor = free({
  ...SHARED,
  method: "POST",
  path: `${PATH}/test`,
  summary: "Test a webhook",
  description: `Sends a message of type \`monitor.test\` to the monitor's webhook within seconds (free). It is not among the events and cannot be redelivered. An account may send ${MONITOR_BOUNDS.testsPerHour} in an hour while at most ${MONITOR_BOUNDS.maxWaitingTests} wait for their delivery; more are RATE_LIMIT_EXCEEDED.`,
  schema: {
    params,
    response: Type.Object({
      eventId: text("The `webhook-id` of the message.", "evt_0123456789abcdefABCDEF"),
    }),
  },
  handler: async ({ params: { monitorId } }, { monitors }, owner) => {
    const monitor = await monitors.get(owner, monitorId);
    if (monitor === undefined) throw monitorNotFound(monitorId);
    const eventId = await monitors.test(owner, monitorId);
    if (eventId === false) throw noWebhook(monitorId);
    if (typeof eventId === "number") throw tooManyTests(eventId);
    return { body: { eventId } };
  },
});

/** The error if a message cannot be sent. */
export function noWebhook(monitorId: string): ApiError {
  return invalid(
    `the monitor ${monitorId} was removed, has no webhook, or a disabled one: set \`webhook\` by PATCH /v1/monitors/${monitorId}`,
  );
}
