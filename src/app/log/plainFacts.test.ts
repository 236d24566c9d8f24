import pino from "pino";
import { expect, it } from "vitest";
import { plainFacts } from "./plainFacts.ts";

const TIME = ',"time":"2026-11-22T10:00:00.000Z"';

function linesOf(
  isHooked: boolean,
  log: (logger: pino.Logger) => void,
): { lines: string[]; inOneGo: number } {
  const lines: string[] = [];
  let inOneGo = 0;
  const write = (line: string) => {
    inOneGo += 1;
    lines.push(line);
  };
  const hooks = isHooked ? { logMethod: plainFacts(() => TIME, write) } : {};
  log(pino({ base: null, timestamp: () => TIME, hooks }, { write: (line: string) => void lines.push(line) }));
  return { lines, inOneGo };
}

it.each<[string, boolean, (logger: pino.Logger) => void]>([
  ["a call", true, (logger) => logger.info({ requestId: "a-1", status: 200, durationMs: 1.5, isNew: true })],
  ["what is not known", true, (logger) => logger.info({ requestId: "a-1", accountId: undefined })],
  [
    "numbers that are none",
    true,
    (logger) => logger.info({ first: Number.NaN, second: Number.POSITIVE_INFINITY }),
  ],
  [
    "quotes, line ends and letters",
    true,
    (logger) => logger.warn({ text: '"\\\n\u0001\ud800 é 🍞', 'a"b': "" }),
  ],
  ["a message", false, (logger) => logger.info({ file: "x" }, "a message")],
  ["a message alone", false, (logger) => logger.info("a message")],
  ["an error", false, (logger) => logger.error({ err: new RangeError("wrong") }, "it failed")],
  ["an error without a message", false, (logger) => logger.error({ err: "text", within: { deep: [1] } })],
  ["a text that was thrown", false, (logger) => logger.error({ err: "text" })],
  ["nothing", false, (logger) => logger.info({})],
  ["nothing that is known", false, (logger) => logger.info({ accountId: undefined })],
  ["a number beyond numbers", false, (logger) => logger.info({ count: 1n })],
  ["below the level", false, (logger) => logger.debug({ status: 200 })],
])("is written as the logger writes it: %s", (_, isPlain, log) => {
  const { lines, inOneGo } = linesOf(true, log);
  const plainly = linesOf(false, log).lines;
  expect(lines.map(withoutStack)).toEqual(plainly.map(withoutStack));
  expect(inOneGo).toBe(isPlain ? 1 : 0);
});

/** An error that is made twice was made at two places. */
function withoutStack(line: string): string {
  return line.replace(/"stack":"(?:[^"\\]|\\.)*"/, '"stack":""');
}
