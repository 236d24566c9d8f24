import type { AutocompleteItem } from "../api/resources.ts";
import { marked } from "./marks.ts";
import { place } from "./popup.ts";
import { isAwaiting, isExpanded, queryOf, type State } from "./state.ts";
import { STYLES } from "./styles.ts";
import { noteText, statusText, type Translate } from "./texts.ts";

/** Events of the view. */
export interface ViewEvents {
  choose(hit: AutocompleteItem): void;
  clear(): void;
  /** The list was released, so pending hits may be shown. */
  released(): void;
}

/** A pause before an announcement, so that only the last of several changes is announced. */
const QUIET_MS = 400;

function make<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Readonly<Record<string, string>>,
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes)) element.setAttribute(attribute, value);
  element.append(...children);
  return element;
}

/** Renders the state in the shadow root. Data of the service is only inserted as text nodes. */
export class View {
  readonly input = make("input", {
    id: "input",
    part: "input",
    role: "combobox",
    "aria-autocomplete": "list",
    "aria-controls": "list",
    "aria-expanded": "false",
    "aria-describedby": "message",
    autocomplete: "off",
    spellcheck: "false",
  });
  readonly #number = make("span", { part: "number" });
  readonly #spinner = make("span", { part: "spinner" });
  readonly #clear = make("button", { part: "clear", type: "button", tabindex: "-1" }, "×");
  readonly #field = make("div", { part: "field" }, this.input, this.#number, this.#spinner, this.#clear);
  readonly #message = make("div", { part: "message", id: "message" });
  readonly #note = make("div", { part: "note" });
  readonly #list = make("ul", { part: "listbox", id: "list", role: "listbox" });
  readonly #popup = make("div", { part: "popup", popover: "manual" }, this.#note, this.#list);
  readonly #status = make("div", { part: "status", role: "status" });
  #shown: readonly AutocompleteItem[] = [];
  /** The pointer is down on the list and the click is pending. */
  #isPressed = false;
  #quiet: ReturnType<typeof setTimeout> | undefined;
  #announced = "";

  constructor(root: ShadowRoot, events: ViewEvents) {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(STYLES);
    root.adoptedStyleSheets = [sheet];
    root.append(this.#field, this.#message, this.#popup, this.#status);
    // Keep the focus in the field.
    for (const around of [this.#popup, this.#clear]) around.onmousedown = (event) => event.preventDefault();
    this.#list.onclick = ({ target }) => {
      const hit = this.#shown.find((_, index) => this.#list.children[index]?.contains(target as Node));
      if (hit) events.choose(hit);
    };
    this.#list.onpointerdown = () => {
      this.#isPressed = true;
    };
    // These end a press without a click: scrolling, leaving the list, a context menu.
    for (const type of ["click", "auxclick", "contextmenu", "mouseleave", "pointercancel"])
      this.#list.addEventListener(type, () => {
        if (!this.#isPressed) return;
        this.#isPressed = false;
        events.released();
      });
    this.#clear.onclick = () => events.clear();
  }

  /** Whether the popup is open. */
  get isPopupShown(): boolean {
    return this.#popup.matches(":popover-open");
  }

  /** @param message the error below the field */
  show(state: State, translate: Translate, message: string): void {
    // Do not replace a pressed hit before its click. Closing the list or typing ends the press.
    this.#isPressed &&= state.isOpen && state.phase !== "loading";
    if (this.#isPressed) return;
    const { input } = this;
    if (input.value !== state.text) input.value = state.text;
    this.#number.textContent = state.chosen?.kvkNumber ?? "";
    const isBusy = isAwaiting(state);
    this.#spinner.hidden = !isBusy;
    this.#list.ariaBusy = `${isBusy}`;
    this.#clear.hidden = state.text === "" || input.disabled;
    this.#clear.ariaLabel = translate("clear");
    this.#message.textContent = message;
    this.#list.ariaLabel = translate("list");
    this.#note.textContent = noteText(translate, state);
    if (this.#shown !== state.hits) {
      this.#shown = state.hits;
      const query = queryOf(state);
      this.#list.replaceChildren(...state.hits.map((hit, index) => option(hit, index, query, translate)));
    }
    input.ariaExpanded = `${isExpanded(state)}`;
    this.#pop(state.isOpen && (state.hits.length > 0 || this.#note.textContent !== ""));
    this.#mark(state.active);
    this.#announce(statusText(translate, state));
  }

  readonly #place = () => place(this.#popup, this.#field);

  /** Cleans up when the element is removed from the page. */
  close(): void {
    clearTimeout(this.#quiet);
    this.#pop(false);
  }

  #mark(active: number): void {
    for (const [index, one] of [...this.#list.children].entries()) {
      one.ariaSelected = `${index === active}`;
      if (index !== active) continue;
      this.input.setAttribute("aria-activedescendant", one.id);
      one.scrollIntoView({ block: "nearest" });
    }
    if (active < 0) this.input.removeAttribute("aria-activedescendant");
  }

  #pop(isShown: boolean): void {
    if (isShown && !this.#popup.isConnected) return;
    if (isShown) this.#place();
    if (isShown === this.isPopupShown) return;
    this.#popup.togglePopover(isShown);
    const listen = isShown ? addEventListener : removeEventListener;
    for (const type of ["scroll", "resize"]) listen(type, this.#place, true);
  }

  #announce(text: string): void {
    if (text === this.#announced) return;
    this.#announced = text;
    clearTimeout(this.#quiet);
    this.#quiet = setTimeout(() => {
      this.#status.textContent = text;
    }, QUIET_MS);
  }
}

function option(hit: AutocompleteItem, index: number, query: string, translate: Translate): HTMLElement {
  const { name, matchedName, city, kvkNumber, isActive } = hit;
  const small = make("small", { part: "details" });
  if (matchedName !== undefined)
    small.append(make("span", {}, translate("also"), ...pieces(matchedName, query)), " ");
  if (city !== undefined) small.append(make("span", {}, city), " ");
  small.append(make("span", {}, ...pieces(kvkNumber, query)));
  if (isActive === false) small.append(" ", make("span", { part: "ended" }, translate("ended")));
  const named = make("span", { part: "name" }, ...pieces(name, query));
  return make("li", { part: "option", role: "option", id: `option-${index}` }, named, " ", small);
}

function pieces(text: string, query: string): (Node | string)[] {
  return marked(text, query).map(([piece, isMatch]) =>
    isMatch ? make("b", { part: "match" }, piece) : piece,
  );
}
