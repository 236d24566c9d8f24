import { expect, it } from "vitest";
import { onlyReads } from "./driver.ts";

it.each([
  ["select 1", true],
  ["\n  SELECT id from keys", true],
  ["with counted as (values (1)) insert into failed_calls select * from counted", false],
  ["with gone as (delete from calls returning at_ms) select * from gone", false],
  ["insert into calls select * from calls", false],
  ["update keys set minute = 1", false],
  ["delete from calls", false],
])("a statement that may be sent twice only reads: %s", (text, expected) => {
  expect(onlyReads(text)).toBe(expected);
});
