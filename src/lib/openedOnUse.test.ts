import { expect, it } from "vitest";
import { Closed, OpenedOnUse } from "./openedOnUse.ts";

function counted(outcomes: readonly ("fails" | "opens")[]) {
  let nth = 0;
  const ended: number[] = [];
  const one = new OpenedOnUse(
    async () => {
      const opened = nth++;
      if (outcomes[opened] === "fails") throw new Error(`opening ${opened} fails`);
      return opened;
    },
    async (opened) => void ended.push(opened),
  );
  return { one, ended, times: () => nth };
}

it("is opened by the first use, once for all that come together or later", async () => {
  const { one, times } = counted(["opens"]);
  expect(times()).toBe(0);
  expect(await Promise.all([one.get(), one.get()])).toEqual([0, 0]);
  expect(await one.get()).toBe(0);
  expect(times()).toBe(1);
});

it("is opened anew by the use after one that failed", async () => {
  const { one } = counted(["fails", "opens"]);
  await expect(Promise.all([one.get(), one.get()])).rejects.toThrow("opening 0 fails");
  expect(await one.get()).toBe(1);
});

it("ends what was opened, also what is just being opened, and nothing that never was", async () => {
  const { one, ended } = counted(["opens"]);
  const opened = one.get();
  await one.close();
  expect(ended).toEqual([0]);
  expect(await opened).toBe(0);
  await expect(one.get()).rejects.toThrow(Closed);
  const unused = counted([]);
  await unused.one.close();
  await expect(unused.one.get()).rejects.toThrow(Closed);
  expect([unused.times(), unused.ended]).toEqual([0, []]);
  const failing = counted(["fails"]);
  const lost = failing.one.get();
  await Promise.all([failing.one.close(), expect(lost).rejects.toThrow("opening 0 fails")]);
  expect(failing.ended).toEqual([]);
});
