import type { Failure } from "../../api/failure.ts";

/** The rules of webhooks, by the start of the API's messages. */
const RULES = [
  ["noSecret", "webhook needs a signing secret"],
  ["tooMany", "webhook must be one of at most"],
  ["notPublic", "webhook must be a public address"],
  ["notHttps", "webhook "],
] as const;

/** Returns the rule that a refused webhook breaks; undefined if something else failed. */
export function webhookFault(failure: Failure | undefined) {
  return RULES.find(([, start]) => failure?.message.startsWith(start))?.[0];
}
