import type { AutocompleteItem, Company } from "../api/resources.ts";
import { empty, fill } from "./fill.ts";
import { getJson } from "./getJson.ts";

/** The element whose company fills the form around it. */
interface Host extends Pick<Element, "hasAttribute"> {
  /** The KVK number that it holds now, or empty. */
  readonly value: string;
  readonly form: HTMLFormElement | null;
}

/** Keeps the fields of a form at what the element's company says. */
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

  /** Leaves the fields to the page, which set another company or reset the form. */
  forget(): void {
    this.#filled = "";
  }

  /** Empties the fields unless the element still holds the company that is in them. */
  keep(): void {
    if (!this.#filled || this.#filled === this.#host.value) return;
    this.stop();
    this.#filled = "";
    empty(this.#host.form);
  }

  /**
   * Fills the fields; a company that is in them already is not looked up, and charged, again.
   * @param base where to look it up, where the page wants that, with `key`
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
    // A key that may not look up is as good as no lookup; other failures are for the page, not for the person at its form.
    if ("failure" in answer && answer.failure.code !== "FORBIDDEN")
      this.#emit("opzoek-error", answer.failure);
    this.#emit("opzoek-fill", { company: known, fields: more(known) });
  }
}
