import { OpzoekError } from "../../client/src/index.ts";
import { AccountRefusal } from "../accounts/refusal.ts";
import { ImportRefused } from "../import/outcome.ts";
import { CommandFailure, UsageError } from "./command.ts";

/** Error codes of a service that mean wrong usage. */
const WRONG_USE = new Set(["INVALID_KVK_NUMBER", "INVALID_VAT_NUMBER", "INVALID_REQUEST"]);

/** Advice that the service's message does not contain. */
const REMEDIES: Readonly<Record<string, string>> = {
  UNAUTHORIZED: "Set OPZOEK_KEY to a key of this service, or use --key-file.",
  CONNECTION_ERROR: "Check the address in OPZOEK_URL or --url, and that the service is running.",
  TIMEOUT: "The service is slow or down: try again.",
  UNEXPECTED_ANSWER: "Check that the address in OPZOEK_URL or --url belongs to an Opzoek service.",
  QUOTA_EXCEEDED: "If this machine has a registry, commands with --local read it free of charge.",
};

/** Converts an error that a person can act on to the command's failure; undefined for a bug. */
export function failureOf(error: unknown): CommandFailure | UsageError | undefined {
  if (error instanceof CommandFailure || error instanceof UsageError) return error;
  if (error instanceof AccountRefusal || error instanceof ImportRefused) {
    return new CommandFailure(error.message);
  }
  if (!(error instanceof OpzoekError)) return undefined;
  const text = /[.!?]$/.test(error.message) ? error.message : `${error.message}.`;
  if (WRONG_USE.has(error.code)) return new UsageError(text);
  const isFault = error.status !== undefined && error.status >= 500 && error.requestId !== undefined;
  const reference = isFault ? `Report the request id to its operator: ${error.requestId}.` : undefined;
  return new CommandFailure([text, REMEDIES[error.code], reference].filter(Boolean).join(" "));
}
