import type { MessagePort } from "node:worker_threads";
import type { SuppressionList } from "../../lookup/suppression/suppressionList.ts";
import type { LeftOutCounts } from "../../metering/leftOutCalls.ts";
import { Guest } from "./guest.ts";
import type { House } from "./house.ts";
import type { Said, Status, Told } from "./messages.ts";
import { isCalm, statusOf } from "./status.ts";

/** What a desk serves: the house, with what only the thread that keeps it can do to it. */
export interface DeskParts {
  readonly house: House;
  readonly suppressed: Pick<SuppressionList, "numbers" | "onChange">;
  readonly leftOut: Pick<LeftOutCounts, "add">;
}

/** While something is left alone it is looked so often whether that is over. */
const LOOK_EVERY_MS = 100;

/** Answers the threads that ask over ports, and tells all of them what each must know at once. */
export class Desk {
  readonly #parts: DeskParts;
  readonly #guests = new Set<Guest>();
  #status: Status;
  /** The same as text, to see whether it changed. */
  #shownStatus: string;
  #look: NodeJS.Timeout | undefined;

  constructor(parts: DeskParts) {
    this.#parts = parts;
    this.#status = statusOf(parts.house);
    this.#shownStatus = JSON.stringify(this.#status);
    const { vies, live } = parts.house;
    vies.flights.onKept((vatNumber, answers) => this.#tellAll({ kind: "verdict", vatNumber, answers }));
    live?.companies.onKept((kvkNumber, company) => this.#tellAll({ kind: "company", kvkNumber, company }));
    parts.suppressed.onChange(() =>
      this.#tellAll({ kind: "suppressed", suppressed: parts.suppressed.numbers }),
    );
  }

  /** How many threads are served. */
  get guests(): number {
    return this.#guests.size;
  }

  /** Serves a thread that has the other end of a port, until one of the two closes it. What it said before waits in the port. */
  serve(port: MessagePort): void {
    this.#tellStatus();
    const { house, suppressed } = this.#parts;
    const guest: Guest = new Guest({
      port,
      house,
      onAnswer: () => this.#tellStatus(),
      onSaid: (said) => this.#heard(guest, said),
      onGone: () => this.#guests.delete(guest),
    });
    this.#guests.add(guest);
    guest.tell({
      kind: "welcome",
      limits: house.limits,
      hasMail: house.mails !== undefined,
      suppressed: suppressed.numbers,
      status: this.#status,
    });
  }

  /** Serves nobody any more: whoever waits is told that nobody answers. */
  close(): void {
    clearTimeout(this.#look);
    for (const guest of [...this.#guests]) guest.close();
  }

  #heard(guest: Guest, said: Exclude<Said, { kind: "ask" | "over" }>): void {
    const { house, leftOut } = this.#parts;
    if (said.kind === "mail") house.mails?.nudge();
    else if (said.kind === "left-out") {
      for (const [accountId, count] of said.counts) leftOut.add(accountId, count);
    } else for (const other of this.#guests) if (other !== guest) other.tell(said);
  }

  #tellAll(told: Told): void {
    for (const guest of this.#guests) guest.tell(told);
  }

  /** Tells all how the upstreams are, where that has changed. */
  #tellStatus(): void {
    const status = statusOf(this.#parts.house);
    const shown = JSON.stringify(status);
    if (shown !== this.#shownStatus) {
      this.#status = status;
      this.#shownStatus = shown;
      this.#tellAll({ kind: "status", status });
    }
    clearTimeout(this.#look);
    if (!isCalm(status)) this.#look = setTimeout(() => this.#tellStatus(), LOOK_EVERY_MS).unref();
  }
}
