import type { AutocompleteItem } from "../api/resources.ts";
import { CONNECTION_ATTRIBUTES, OBSERVED, warnOfKey, wholeOf } from "./attributes.ts";
import { Filling } from "./filling.ts";
import { entries, submit, takeUp, textOf } from "./formControl.ts";
import { isComposing, meaningOf } from "./keys.ts";
import { Searching } from "./searching.ts";
import { type Action, EMPTY, faultOf, isAwaiting, numberOf, queryOf, reduce, type State } from "./state.ts";
import { failureText, languageOf, type Translate, textsOf } from "./texts.ts";
import { View } from "./view.ts";

/** Without a DOM, as in server-side rendering, the module loads and defines nothing. */
const Base = globalThis.HTMLElement ?? class {};

/**
 * `<opzoek-autocomplete>`. Its `value` is the KVK number of the chosen company, or a typed one.
 * docs/autocomplete.md lists attributes, events and parts.
 */
export class OpzoekAutocompleteElement extends Base {
  /** The package's version: a test compares them. */
  static readonly version: string = "1.1.0";
  static readonly formAssociated = true;
  static readonly observedAttributes = OBSERVED;

  readonly #internals = this.attachInternals();
  readonly #view: View;
  readonly #searching: Searching;
  readonly #filling = new Filling(this, (type, detail) => this.#emit(type, detail));
  #state: State = EMPTY;
  #isTouched = false;
  #ownFault = "";
  /** Chosen with the keyboard while newer hits were pending. It counts if they contain it too. */
  #restored: AutocompleteItem | undefined;

  constructor() {
    super();
    const root = this.attachShadow({ mode: "open", delegatesFocus: true });
    this.#view = new View(root, {
      choose: (hit) => this.#act({ type: "choose", hit }),
      clear: () => this.clear(),
      released: () => this.#render(),
    });
    this.#searching = new Searching(
      () => ({
        base: this.#base,
        key: this.#key,
        session: this.getAttribute("session"),
        limit: wholeOf(this, "limit", 8),
        debounceMs: wholeOf(this, "debounce", 250),
      }),
      {
        slow: () => this.#act({ type: "slow" }),
        answered: (query, found) => this.#act({ type: "answered", query, ...found }),
        failed: (failure, isNew) => {
          this.#act({ type: "failed", failure });
          if (isNew) this.#emit("opzoek-error", failure);
        },
      },
    );
    this.#listen();
  }

  /** The KVK number, or empty. Setting anything but 8 digits makes it empty. */
  get value(): string {
    return numberOf(this.#state);
  }
  set value(value: string) {
    const digits = /^\d{8}$/.test(value) ? value : "";
    if (digits !== this.value) this.#set(digits);
  }

  /** The chosen company; undefined if a number was typed. */
  get company(): AutocompleteItem | undefined {
    return this.#state.chosen;
  }
  set company(company: AutocompleteItem | undefined) {
    this.#set(company?.name ?? "", company);
  }

  /** The text in the field. */
  get text(): string {
    return this.#state.text;
  }

  get name(): string {
    return this.getAttribute("name") ?? "";
  }
  /** Frameworks set properties instead of attributes. */
  set name(name: string) {
    this.setAttribute("name", name);
  }
  get form(): HTMLFormElement | null {
    return this.#internals.form;
  }
  get labels(): NodeList {
    return this.#internals.labels;
  }
  get validity(): ValidityState {
    return this.#internals.validity;
  }
  get validationMessage(): string {
    return this.#internals.validationMessage;
  }
  get willValidate(): boolean {
    return this.#internals.willValidate;
  }

  checkValidity(): boolean {
    return this.#internals.checkValidity();
  }
  reportValidity(): boolean {
    return this.#internals.reportValidity();
  }
  setCustomValidity(message: string): void {
    this.#ownFault = message;
    this.#render();
  }

  /** Empties the field, as its button does. */
  clear(): void {
    this.#act({ type: "set", text: "" });
  }

  connectedCallback(): void {
    takeUp(this, ["value", "company"]);
    this.#render();
    // Labels may come after the element.
    queueMicrotask(() => this.#render());
    addEventListener("online", this.#online);
  }

  disconnectedCallback(): void {
    removeEventListener("online", this.#online);
    this.#searching.stop();
    this.#filling.stop();
    const { text, chosen, failure } = this.#state;
    this.#state = { ...EMPTY, text, chosen, failure };
    this.#view.close();
  }

  attributeChangedCallback(name: string, before: string | null, after: string | null): void {
    if (before === after) return;
    if (CONNECTION_ATTRIBUTES.has(name)) {
      this.#searching.forgive();
      warnOfKey(after);
    }
    if (name === "value" && (this.value === (before ?? "") || this.text === "")) this.value = after ?? "";
    this.#render();
  }

  formResetCallback(): void {
    this.#isTouched = false;
    this.#set(this.getAttribute("value") ?? "");
  }

  formDisabledCallback(isDisabled: boolean): void {
    this.#view.input.disabled = isDisabled;
    this.#act({ type: "close" });
  }

  formStateRestoreCallback(restored: unknown): void {
    if (typeof restored !== "string") return;
    const [text, chosen] = JSON.parse(restored) as [string, AutocompleteItem | null];
    this.#set(text, chosen);
  }

  get #base(): string {
    return this.getAttribute("base-url") ?? location.origin;
  }
  /** React and Vue reserve `key` and do not pass it on. */
  get #key(): string {
    return this.getAttribute("api-key") ?? this.getAttribute("key") ?? "";
  }
  /** Retries a failed search when the network is back. */
  readonly #online = () => {
    if (!this.#state.failure) return;
    this.#searching.forgive();
    this.#type();
    if (!this.matches(":focus-within")) this.#act({ type: "close" });
  };

  #type(): void {
    const { value: text } = this.#view.input;
    // Hide the browser's validation bubble, which would cover the list.
    this.#internals.setValidity({});
    this.#act({ type: "typed", text, isLongEnough: text.trim().length >= wholeOf(this, "min-length", 2) });
  }

  #listen(): void {
    const { input } = this.#view;
    input.oninput = () => this.#type();
    input.onkeydown = (event) => this.#press(event);
    input.onclick = () => this.#act({ type: "open" });
    input.onfocus = () => this.#render();
    input.onblur = () => {
      this.#isTouched ||= this.text !== "";
      if (this.#state.failure) this.#searching.stop();
      this.#act({ type: "close" });
    };
    input.onchange = () => this.#emit("change");
    this.oninvalid = () => {
      this.#isTouched = true;
      this.#render();
    };
  }

  #press(event: KeyboardEvent): void {
    if (isComposing(event)) return;
    const { action, isOurs, sends } = meaningOf(event, this.#state, this.#view.isPopupShown);
    if (isOurs) event.preventDefault();
    this.#restored = undefined;
    if (action?.type === "choose" && isAwaiting(this.#state)) this.#restored = action.hit;
    else if (action) this.#act(action);
    if (sends === true) submit(this.form);
  }

  /** Values set by the page are not reported to it. */
  #set(text: string, chosen?: AutocompleteItem | null): void {
    this.#searching.stop();
    this.#filling.forget();
    this.#state = reduce(this.#state, { type: "set", text, chosen: chosen ?? undefined });
    this.#render();
  }

  /** Applies an action of the person or a response, and reports the result to the page. */
  #act(action: Action): void {
    const before = this.#state;
    this.#state = reduce(before, action);
    this.#render();
    const { type } = action;
    if (type === "typed" || type === "set") this.#searching.stop();
    if (!["slow", "close", "answered"].includes(type)) this.#restored = undefined;
    if (type !== "choose") this.#filling.keep();
    if (before.chosen && !this.#state.chosen) this.#emit("opzoek-clear", before.chosen);
    if (type === "typed" && action.isLongEnough) this.#searching.search(queryOf(this.#state));
    // Opening the list without hits starts a search.
    if ((type === "open" || type === "move") && before.phase === "idle" && !before.chosen) this.#type();
    if (type === "answered") this.#answered();
    if (type !== "choose" && type !== "set") return;
    // Like any field that a person changed.
    for (const type of ["input", "change"]) this.#emit(type);
    if (type === "choose") this.#chosen(action.hit);
  }

  #chosen(hit: AutocompleteItem): void {
    this.#searching.endSession();
    this.#emit("opzoek-select", hit);
    // The page may have set another value in its listener.
    if (this.value === hit.kvkNumber) this.#fill(hit);
  }

  /** Makes a choice that waited for these hits. A typed KVK number fills the form like a choice. */
  #answered(): void {
    const { hits, chosen } = this.#state;
    const hit = hits.find(({ kvkNumber }) => kvkNumber === (this.#restored?.kvkNumber ?? this.value));
    if (!hit || chosen) return;
    if (this.#restored) this.#act({ type: "choose", hit });
    else this.#fill(hit);
  }

  #fill(hit: AutocompleteItem): void {
    void this.#filling.fill(hit, this.#base, this.#key);
  }

  #emit(type: string, detail?: unknown): void {
    this.dispatchEvent(new CustomEvent(type, { bubbles: true, composed: true, detail }));
  }

  #render(): void {
    const { text, chosen, failure } = this.#state;
    const translate = textsOf(languageOf(this));
    const { input } = this.#view;
    const isRequired = this.hasAttribute("required");
    input.placeholder = this.getAttribute("placeholder") ?? "";
    input.ariaRequired = `${isRequired}`;
    input.ariaLabel = this.getAttribute("aria-label") || textOf(this.labels) || translate("label");
    // For the form, and for browsers that restore a page.
    const sent = entries([this.name, this.value], [this.getAttribute("text-name"), text]);
    this.#internals.setFormValue(sent, JSON.stringify([text, chosen]));
    const wrong = this.#validate(translate, isRequired);
    const message = failure === undefined ? wrong : failureText(translate, failure);
    this.#internals.states[wrong === "" ? "delete" : "add"]("invalid");
    input.ariaInvalid = `${wrong !== ""}`;
    this.#view.show(this.#state, translate, message);
  }

  /** @returns the validation message, once a person has used the field */
  #validate(translate: Translate, isRequired: boolean): string {
    const fault = faultOf(this.#state, { isRequired, isStrict: this.hasAttribute("strict") });
    const message = this.#ownFault || (fault && translate("unchosen")) || "";
    const flags = this.#ownFault ? { customError: true } : fault ? { [fault]: true } : {};
    this.#internals.setValidity(flags, message, this.#view.input);
    return this.#isTouched ? message : "";
  }
}
