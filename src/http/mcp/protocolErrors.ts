import { mayHoldSecret } from "../../contract/quoting.ts";
import type { McpAnswer } from "./protocol.ts";

/** The library's own words are shorter. */
const MAX_MESSAGE_LENGTH = 1_000;

/** Takes what may be a secret out of an error of the protocol: the library quotes headers and fields, where a key may have been pasted. */
export function withoutSecrets(answer: McpAnswer): McpAnswer {
  // Within the result of a tool the quotes are escaped.
  if (answer.body?.includes('"error":') !== true) return answer;
  const answered: unknown = JSON.parse(answer.body);
  if (!isProtocolError(answered)) return answer;
  const { code, message: told } = answered.error;
  if (told.length <= MAX_MESSAGE_LENGTH && !mayHoldSecret(told)) return answer;
  const message = "this message breaks a rule of the protocol; what was sent is not repeated here";
  return { ...answer, body: JSON.stringify({ ...answered, error: { code, message } }) };
}

function isProtocolError(
  answered: unknown,
): answered is { readonly error: { readonly code: number; readonly message: string } } {
  if (typeof answered !== "object" || answered === null || !("error" in answered)) return false;
  const { error } = answered;
  return (
    typeof error === "object" && error !== null && "message" in error && typeof error.message === "string"
  );
}
