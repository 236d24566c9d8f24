/** Optional fields of monitors that are sent empty. */
import { beforeAll, describe, expect, it } from "vitest";
import type { Monitor } from "../../src/contract/monitors.ts";
import { jsonOf } from "../kit/answer.ts";
import { BAKERY } from "../kit/companies.ts";
import type { InProcess } from "../kit/inProcess.ts";
import { callerOf, monitorService } from "./calls.ts";

let service: InProcess;
beforeAll(async () => {
  service = await monitorService();
});

const caller = () => callerOf(service);

describe("POST and PATCH of monitors", () => {
  it.each([
    { events: null, metadata: null, webhook: null },
    { events: [], metadata: "" },
    { events: "", metadata: { a: null } },
  ])("takes %j as if the fields were absent", async (fields) => {
    const calls = await caller();
    const answer = await calls.post({ kvkNumbers: [BAKERY], ...fields });
    const { results } = jsonOf(answer) as { results: Monitor[] };
    const { metadata = {}, ...monitor } = results[0] ?? {};
    expect(metadata).toEqual({});
    expect(Object.keys(monitor)).toEqual(expect.not.arrayContaining(["events", "webhook"]));
    const again = await calls.call("PATCH", `/v1/monitors/${results[0]?.id}`, { events: ["company.moved"] });
    expect(jsonOf(again)).toMatchObject({ events: ["company.moved"] });
    const kept = await calls.call("PATCH", `/v1/monitors/${results[0]?.id}`, { events: [], metadata: " " });
    expect(jsonOf(kept)).toMatchObject({ events: ["company.moved"] });
  });
});
