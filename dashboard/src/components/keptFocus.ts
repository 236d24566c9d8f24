import { useEffect } from "react";

/** More than anybody passes through in dialogs that open each other. */
const MAX_PLACES = 50;
const HEADING = "h1[tabindex='-1'], h2[tabindex='-1']";

/** An element that had the focus, and what was around it then, the innermost first. */
interface Place {
  readonly element: HTMLElement;
  readonly around: readonly Element[];
}

/**
 * Keeps the focus where it was when the element that has it is removed or disabled, which browsers answer by giving it to nothing:
 * it goes back to a button that was busy, else to the heading of the part it was in, else to what had it before, such as the opener
 * of a dialog. A screen that places the focus itself comes first.
 */
export function useKeptFocus(): void {
  useEffect(() => {
    let places: Place[] = [];
    let frame = 0;
    const onFocus = ({ target }: FocusEvent) => {
      if (!(target instanceof HTMLElement)) return;
      const before = places.filter(({ element }) => element !== target);
      places = [{ element: target, around: ancestorsOf(target) }, ...before].slice(0, MAX_PLACES);
    };
    // Removing and disabling come with no event that all browsers agree on; a click outside leaves the element usable.
    const onBlur = ({ target }: FocusEvent) => {
      setTimeout(() => {
        const isLeft = isNowhere() && target === places[0]?.element && isUsable(places[0].element);
        if (isLeft) places = [];
      });
    };
    const restore = () => {
      if (isNowhere()) nextOf(places)?.focus({ preventScroll: true });
    };
    const observer = new MutationObserver(() => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(restore);
    });
    observer.observe(document.body, { childList: true, subtree: true, attributeFilter: ["disabled"] });
    document.addEventListener("focusin", onFocus);
    document.addEventListener("focusout", onBlur);
    return () => {
      cancelAnimationFrame(frame);
      observer.disconnect();
      document.removeEventListener("focusin", onFocus);
      document.removeEventListener("focusout", onBlur);
    };
  }, []);
}

const isNowhere = () => document.activeElement === document.body || document.activeElement === null;

const isUsable = (element: HTMLElement) => element.isConnected && !element.matches(":disabled");

/** Where the focus belongs; undefined while a button that had it is busy, and where nothing is left. */
function nextOf(places: readonly Place[]): HTMLElement | undefined {
  for (const { element, around } of places) {
    if (element.isConnected && element.matches("[data-loading]")) return undefined;
    if (isUsable(element)) return element;
    for (const part of around) {
      const heading = part.isConnected ? part.querySelector<HTMLElement>(HEADING) : null;
      if (heading !== null) return heading;
    }
  }
  return undefined;
}

/** All but the document's own elements, which dialogs share with the screen below. */
function ancestorsOf(element: Element): Element[] {
  const above: Element[] = [];
  for (let part = element.parentElement; part !== null && part !== document.body; part = part.parentElement) {
    above.push(part);
  }
  return above;
}
