import type { Letter } from "./texts.ts";

/** An address that the library would change into another one, which its author must not be able to choose. */
export class UnmailableAddress extends Error {
  constructor() {
    super("no mail can be sent to the account's address");
    this.name = "UnmailableAddress";
  }
}

/** A mail server. */
export interface Post {
  /** @throws {UnmailableAddress} @throws when the server did not accept it, with its code as `responseCode` */
  deliver(letter: Letter): Promise<void>;
  close(): void;
}

/** The host and port of an address `smtp://` or `smtps://`. */
export function smtpPlace(address: string): { readonly host: string; readonly port: number } {
  const { protocol, hostname, port } = new URL(address);
  const usual = protocol === "smtps:" ? 465 : 587;
  return { host: hostname.replace(/^\[|\]$/g, ""), port: port === "" ? usual : Number(port) };
}
