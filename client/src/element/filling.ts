import type { AutocompleteItem, Company } from "../api/resources.ts";
import { empty, fill } from "./fill.ts";
import { getJson } from "./getJson.ts";

/** The element whose company fills the form. */
interface Host extends Pick<Element, "hasAttribute"> {
  /** Its KVK number, or empty. */
  readonly value: string;
  readonly form: HTMLFormElement | null;
}

/** Keeps the fields of a form in step with the element's company. */
export class Filling {
  readonly #host: Host;
  readonly #emit: (type: string, detail: unknown) => void;
  /** The KVK number of the company in the fields, or empty. */
  #filled = "";
  #request = new AbortController();

  constructor(host: Host, emit: (type: string, detail: unknown) => void) {
    this.#host = host;
    this.#emit = emit;
  }

  /** Cancels a lookup. */
  stop(): void {
    this.#request.abort();
  }

  /** Leaves the fields as they are, after the page set another company or reset the form. */
  forget(): void {
    this.#filled = "";
  }

  /** Empties the fields unless they show the element's company. */
  keep(): void {
    if (!this.#filled || this.#filled === this.#host.value) return;
    this.stop();
    this.#filled = "";
    empty(this.#host.form);
  }

  /**
   * Fills the fields. A company that they already show is not looked up, and charged, again.
   * @param base the service for the lookup, if the page wants one
   */
  async fill(hit: AutocompleteItem, base: string, key: string): Promise<void> {
    const { kvkNumber } = hit;
    const host = this.#host;
    if (this.#filled === kvkNumber) return;
    this.stop();
    this.#filled = kvkNumber;
    const more = fill(host.form, hit);
    if (!host.hasAttribute("lookup")) return this.#emit("opzoek-fill", { company: hit, fields: more(hit) });
    this.#request = new AbortController();
    const { signal } = this.#request;
    const read = (body: unknown) =>
      (body as Company | null)?.kvkNumber === kvkNumber ? (body as Company) : undefined;
    const answer = await getJson(base, `/v1/lookup/${kvkNumber}`, {}, key, signal, read);
    if (!answer || signal.aborted || host.value !== kvkNumber) return;
    const known = "found" in answer ? answer.found : hit;
    // If the key may not look up, do without. Other failures are reported to the page, not to the person.
    if ("failure" in answer && answer.failure.code !== "FORBIDDEN")
      this.#emit("opzoek-error", answer.failure);
    this.#emit("opzoek-fill", { company: known, fields: more(known) });
  }
}
