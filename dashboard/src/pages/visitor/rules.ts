import type { SessionState } from "../../../../src/contract/accountResources.ts";

type Length = SessionState["passwordLength"];

/** Whether a text looks like an address; the service decides for good. */
export function looksLikeEmail(text: string): boolean {
  return /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text.trim());
}

/** Which end of the length rule a new password breaks; it counts characters, not units of storage. */
export function lengthFault(password: string, { least, most }: Length): "short" | "long" | undefined {
  const length = [...password.normalize("NFKC")].length;
  if (length < least) return "short";
  return length > most ? "long" : undefined;
}
