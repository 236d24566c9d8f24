/** Addresses that are refused, with the rule that they break, and blanks around them. */
import { beforeAll, describe, expect, it } from "vitest";
import { inject, jsonOf, messageOf } from "../kit/answer.ts";
import { BAKERY, FERRY } from "../kit/companies.ts";
import { expectError } from "../kit/contractAnswer.ts";
import type { InProcess } from "../kit/inProcess.ts";
import { callerOf, monitorService } from "./calls.ts";

let service: InProcess;
beforeAll(async () => {
  service = await monitorService();
});

async function caller() {
  const calls = await callerOf(service);
  await calls.call("POST", "/v1/webhook-secret");
  return calls;
}

describe("an address", () => {
  const HOOK = "https://hooks.example/opzoek";
  it.each([
    ["", /^webhook must not be empty/],
    ["  ", /^webhook must not be empty/],
    [" \u00a0 ", /^webhook must not be empty/],
    ["hooks.example/opzoek", /begins with https:\/\//],
    [`https://hooks.example/?${"é".repeat(1_500)}`, /at most 2048 bytes/],
    ["https://a:b@hooks.example/", /user or password/],
    ["https://10.0.0.1/", /public address/],
  ])("%j is refused with the rule that it breaks, wherever it is given", async (webhook, rule) => {
    const calls = await caller();
    const [monitor] = await calls.added([FERRY]);
    const answers = [
      await calls.post({ kvkNumbers: [BAKERY], webhook }),
      await calls.call("PATCH", `/v1/monitors/${monitor?.id}`, { webhook }),
      await inject(service.app, {
        method: "POST",
        path: `/v1/jobs?kind=lookup&webhook=${encodeURIComponent(webhook)}`,
        key: calls.account.key,
        headers: { "content-type": "application/x-ndjson" },
        body: `"${BAKERY}"\n`,
      }),
    ];
    for (const answer of answers) {
      expectError(answer, "INVALID_REQUEST");
      expect(messageOf(answer)).toMatch(rule);
    }
    expect((await calls.list()).monitors).toMatchObject([monitor]);
  });

  it("is kept without the blanks around it", async () => {
    const calls = await caller();
    const [added] = await calls.added([BAKERY], { webhook: ` ${HOOK} ` });
    expect(added?.webhook).toEqual({ url: HOOK });
    const changed = await calls.call("PATCH", `/v1/monitors/${added?.id}`, { webhook: `  ${HOOK}/2` });
    expect(jsonOf(changed)).toMatchObject({ webhook: { url: `${HOOK}/2` } });
  });
});
