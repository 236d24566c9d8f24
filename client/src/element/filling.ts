import type { AutocompleteItem, Company } from "../api/resources.ts";
import { empty, fill } from "./fill.ts";
import { getJson } from "./getJson.ts";

/** The element whose company fills the form around it; read anew each time. */
export interface Host {
  /** The KVK number that the element holds now, or empty. */
  value(): string;
  form(): HTMLFormElement | null;
  /** Where to look the company up, and with which key; undefined where the page does not want it. */
  lookup(): { readonly base: string; readonly key: string } | undefined;
  emit(type: string, detail: unknown): void;
}

/** Keeps the fields of a form at what the element's company says. */
export class Filling {
  readonly #host: Host;
  /** The KVK number of the company in the fields, or empty. */
  #filled = "";
  #request = new AbortController();

  constructor(host: Host) {
    this.#host = host;
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
    if (this.#filled === "" || this.#filled === this.#host.value()) return;
    this.stop();
    this.forget();
    empty(this.#host.form());
  }

  /** Fills the fields; a company that is in them already is not looked up, and charged, again. */
  fill(hit: AutocompleteItem): void {
    if (this.#filled === hit.kvkNumber) return;
    this.stop();
    this.#filled = hit.kvkNumber;
    void this.#fill(hit);
  }

  async #fill(hit: AutocompleteItem): Promise<void> {
    const host = this.#host;
    const more = fill(host.form(), hit);
    const lookup = host.lookup();
    if (!lookup) return host.emit("opzoek-fill", { company: hit, fields: more(hit) });
    this.#request = new AbortController();
    const { signal } = this.#request;
    const { kvkNumber } = hit;
    const read = (body: unknown) =>
      (body as Company | null)?.kvkNumber === kvkNumber ? (body as Company) : undefined;
    const answer = await getJson(lookup.base, `/v1/lookup/${kvkNumber}`, {}, lookup.key, signal, read);
    if (!answer || signal.aborted || host.value() !== kvkNumber) return;
    const known = "told" in answer ? answer.told : hit;
    // A key that may not look up is as good as no lookup; other failures are for the page, not for the person at its form.
    if ("failure" in answer && answer.failure.code !== "FORBIDDEN") host.emit("opzoek-error", answer.failure);
    host.emit("opzoek-fill", { company: known, fields: more(known) });
  }
}
