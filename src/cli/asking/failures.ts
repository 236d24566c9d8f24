import { OpzoekError } from "../../../client/src/index.ts";
import { CommandFailure, WrongUse } from "../command.ts";

/** Codes of what was asked wrongly. */
const WRONG = new Set(["INVALID_KVK_NUMBER", "INVALID_VAT_NUMBER", "INVALID_REQUEST"]);

/** What to do beside what the service's own message says. */
const REMEDIES: Readonly<Record<string, string>> = {
  UNAUTHORIZED: "Set OPZOEK_KEY, or name a file with --key-file, with a key of this service.",
  CONNECTION_ERROR: "Check the address in OPZOEK_URL or --url, and that the service runs.",
  TIMEOUT: "The service is slow or away: try again.",
  UNEXPECTED_ANSWER: "Check that the address in OPZOEK_URL or --url is one of this service.",
  QUOTA_EXCEEDED: '"opzoek search --local" and the like ask a snapshot on this machine, where there is one.',
};

/** Asks, and tells what went wrong as what to do. @throws {CommandFailure | WrongUse} (the promise) */
export async function asking<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw asFailure(error);
  }
}

/** What went wrong as what to do about it. */
export function asFailure(error: unknown): unknown {
  if (!(error instanceof OpzoekError)) return error;
  const said = sentence(error.message);
  if (WRONG.has(error.code)) return new WrongUse(said);
  const remedy = REMEDIES[error.code];
  const isRequest = error.status !== undefined && error.status >= 500 && error.requestId !== undefined;
  return new CommandFailure(
    [said, remedy, isRequest ? `Its operator finds the call as ${error.requestId}.` : undefined]
      .filter((part) => part !== undefined)
      .join(" "),
  );
}

function sentence(text: string): string {
  const begun = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(begun) ? begun : `${begun}.`;
}
