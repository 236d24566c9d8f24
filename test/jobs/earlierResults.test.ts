/** Results whose CSV size was stored by an earlier version are returned complete, in the current format. */
import { expect, it } from "vitest";
import { inject, jsonOf } from "../kit/answer.ts";
import { PLAIN } from "../kit/companies.ts";
import { composeInProcess } from "../kit/inProcess.ts";
import { until } from "../kit/until.ts";
import { makeWorld } from "../kit/world.ts";

it("results stored by an earlier version are measured again before they are sent", async () => {
  const { app, state, account } = await composeInProcess(await makeWorld());
  const { key } = await account("plenty");
  const csv = { "content-type": "text/csv" };
  const body = `kvkNumber\n${PLAIN.join("\n")}\n`;
  const path = "/v1/jobs?kind=lookup.enriched";
  const sent = await inject(app, { method: "POST", path, key, headers: csv, body });
  const { id } = jsonOf(sent) as { id: string };
  await until("the list is done", async () => {
    const { status } = jsonOf(await inject(app, { path: `/v1/jobs/${id}`, key })) as { status: string };
    return status === "completed";
  });
  const asCsv = { path: `/v1/jobs/${id}/results?format=csv`, key };
  const whole = await inject(app, asCsv);
  const mark = await state.suppressed.suppressionMark();
  const stored = await state.jobs.staleResults("", 100, id);
  expect(stored).not.toEqual([]);
  for (const { kind: _kind, ...row } of stored) {
    const jsonlBytes = Buffer.byteLength(row.lines);
    await state.jobs.renewResults({ ...row, jsonlBytes, csvBytes: 7, mark });
  }
  const again = await inject(app, asCsv);
  expect([again.status, again.text]).toEqual([200, whole.text]);
  expect(whole.text.split("\r\n")).toHaveLength(PLAIN.length + 2);
});
