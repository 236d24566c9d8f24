import type { LoggerOptions } from "pino";

type LogMethod = NonNullable<NonNullable<LoggerOptions["hooks"]>["logMethod"]>;

/**
 * Writes a line of facts alone, such as that of each call, in one go; the logger puts it together value by value, in four times as long.
 * Its lines are the same to the letter. A line with a message, an error or anything within a fact is left to the logger.
 * @param time what stands after the level, as the logger's own `timestamp` gives it
 * @param write takes a line, which ends in a line end
 */
export function plainFacts(time: () => string, write: (line: string) => void): LogMethod {
  return function (args, method, level) {
    const [facts] = args as readonly unknown[];
    if (args.length !== 1 || !arePlain(facts)) return method.apply(this, args);
    write(`{"level":${level}${time()},${JSON.stringify(facts).slice(1)}\n`);
  };
}

/** Whether it is an object that holds texts, numbers and booleans, and at least one of them. */
function arePlain(facts: unknown): facts is object {
  if (typeof facts !== "object" || facts === null || facts instanceof Error || Array.isArray(facts))
    return false;
  // What is thrown may be a text too: the logger has a way of its own to tell it.
  if ("err" in facts) return false;
  let isAny = false;
  for (const name in facts) {
    const type = typeof facts[name as keyof typeof facts];
    if (type === "string" || type === "number" || type === "boolean") isAny = true;
    else if (type !== "undefined") return false;
  }
  return isAny;
}
