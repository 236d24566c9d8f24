/** A list whose response was lost is sent again under its `Idempotency-Key`, and remains one list, on both stores. */
import { beforeAll, describe, expect, it } from "vitest";
import { type Answer, codeOf, inject, jsonOf } from "../kit/answer.ts";
import { PLAIN } from "../kit/companies.ts";
import { composeInProcess, type InProcess } from "../kit/inProcess.ts";
import { sharedPostgres } from "../kit/sharedPostgres.ts";
import { variants } from "../kit/thorough.ts";
import { until } from "../kit/until.ts";
import { makeWorld } from "../kit/world.ts";

const NUMBERS = PLAIN.slice(0, 7);

const STORES = [
  ["embedded", async () => ({})],
  ["postgres", async () => ({ DATABASE_URL: await (await sharedPostgres()).newDatabase("repeated") })],
] as const;

describe.each(variants(STORES, { ordinary: 1 }))(
  "a list sent again on the %s store",
  (_name, environment) => {
    let inside: InProcess;
    beforeAll(async () => {
      const world = await makeWorld({ environment: await environment() });
      inside = await composeInProcess(world, { listOptions: { pollEveryMs: 10 } });
    });

    const send = (
      key: string,
      idempotencyKey: string,
      numbers = NUMBERS,
      query = "kind=lookup",
    ): Promise<Answer> =>
      inject(inside.app, {
        method: "POST",
        path: `/v1/jobs?${query}`,
        key,
        headers: { "content-type": "application/x-ndjson", "idempotency-key": idempotencyKey },
        body: numbers.map((number) => `"${number}"\n`).join(""),
      });
    const idOf = (answer: Answer) => (jsonOf(answer) as { id: string }).id;
    const listsOf = async (key: string) =>
      (jsonOf(await inject(inside.app, { path: "/v1/jobs", key })) as { jobs: { status: string }[] }).jobs;

    it("is the same list, however often and whenever, and charged once", async () => {
      const { key } = await inside.account("plenty");
      const first = await send(key, "order-1");
      const again = await send(key, '"order-1"');
      expect([first.status, again.status, idOf(again)]).toEqual([202, 202, idOf(first)]);
      expect([first, again].map(({ headers }) => headers["idempotency-replayed"])).toEqual([
        undefined,
        "true",
      ]);
      await until("it has ended", async () =>
        (await listsOf(key)).every(({ status }) => status === "completed"),
      );
      expect(jsonOf(await send(key, "order-1"))).toMatchObject({ id: idOf(first), status: "completed" });
      expect(await listsOf(key)).toHaveLength(1);
      const usage = jsonOf(await inject(inside.app, { path: "/v1/usage", key }));
      expect(usage).toMatchObject({ tokens: { used: NUMBERS.length } });
    });

    it("is one list if sent several times at once", async () => {
      const { key } = await inside.account("plenty");
      const answers = await Promise.all(Array.from({ length: 3 }, () => send(key, "order-2")));
      const taken = answers.filter(({ status }) => status === 202);
      expect(new Set(taken.map(idOf)).size).toBe(1);
      for (const answer of answers.filter(({ status }) => status !== 202)) {
        expect([answer.status, codeOf(answer)]).toEqual([409, "CONFLICT"]);
        expect(Number(answer.headers["retry-after"])).toBeGreaterThan(0);
      }
      expect(await listsOf(key)).toHaveLength(1);
    });

    it("is refused if anything differs; under another idempotency key it is a new list", async () => {
      const { key } = await inside.account("plenty");
      const { key: other } = await inside.account("plenty");
      const first = await send(key, "order-3");
      for (const changed of [
        await send(key, "order-3", PLAIN.slice(1, 8)),
        await send(key, "order-3", [...NUMBERS, ...NUMBERS]),
        await send(key, "order-3", NUMBERS, "kind=lookup.enriched"),
        await send(key, "order-3", NUMBERS, "kind=lookup&maxTokens=5"),
      ]) {
        expect([changed.status, codeOf(changed), changed.headers["retry-after"]]).toEqual([
          409,
          "CONFLICT",
          undefined,
        ]);
      }
      const ids = [first, await send(key, "order-4"), await send(other, "order-3")].map(idOf);
      expect(new Set(ids).size).toBe(3);
      expect(await listsOf(key)).toHaveLength(2);
      expect((await send(key, "not one\tkey")).status).toBe(400);
    });
  },
);
