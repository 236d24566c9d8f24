import type { Letter } from "./texts.ts";

/** The library would mend it into another address: whoever wrote it must not choose whom that is. */
export class UnmailableAddress extends Error {
  constructor() {
    super("the account's address is none that mail is sent to");
    this.name = "UnmailableAddress";
  }
}

/** Hands letters to a mail server. */
export interface Post {
  /**
   * @throws {UnmailableAddress}
   * @throws when the server did not take it; `responseCode` of the error is what it answered
   */
  deliver(letter: Letter): Promise<void>;
  close(): void;
}
