import type { SessionState } from "../../../src/contract/accountResources.ts";

/** Which end of the length rule a new password breaks; it counts characters, not units of storage. */
export function lengthFault(
  password: string,
  { least, most }: SessionState["passwordLength"],
): "short" | "long" | undefined {
  const length = [...password.normalize("NFKC")].length;
  if (length < least) return "short";
  return length > most ? "long" : undefined;
}
