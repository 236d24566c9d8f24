import type { Action, State } from "./state.ts";
import { isExpanded } from "./state.ts";

/** The meaning of a key in an editable combobox (ARIA Authoring Practices Guide). */
export interface Meaning {
  readonly action?: Action;
  /** Whether to prevent the browser's default action. */
  readonly isOurs: boolean;
  /** Whether to submit the form: Enter without an active option. */
  readonly sends?: boolean;
}

const BROWSERS: Meaning = { isOurs: false };

/** Whether a key belongs to an input method (IME). Safari marks the last one only by key code 229. */
export function isComposing({ isComposing: isWithin, keyCode }: KeyboardEvent): boolean {
  return isWithin || keyCode === 229;
}

export function meaningOf(
  { key, altKey, ctrlKey, metaKey }: KeyboardEvent,
  state: State,
  isPopupShown: boolean,
): Meaning {
  if (ctrlKey || metaKey) return BROWSERS;
  const on = isExpanded(state) ? state.hits[state.active] : undefined;
  switch (key) {
    case "ArrowDown":
      return { action: altKey ? { type: "open" } : { type: "move", by: 1 }, isOurs: true };
    case "ArrowUp":
      return { action: altKey ? { type: "close" } : { type: "move", by: -1 }, isOurs: true };
    case "Enter":
      if (on !== undefined) return { action: { type: "choose", hit: on }, isOurs: true };
      return { action: { type: "close" }, isOurs: false, sends: true };
    case "Tab":
      return on === undefined ? BROWSERS : { action: { type: "choose", hit: on }, isOurs: false };
    case "Escape":
      if (isPopupShown) return { action: { type: "close" }, isOurs: true };
      return state.text === "" ? BROWSERS : { action: { type: "set", text: "" }, isOurs: true };
    case "Home":
    case "End":
    case "ArrowLeft":
    case "ArrowRight":
      return { action: { type: "release" }, isOurs: false };
    default:
      return BROWSERS;
  }
}
