import { useEffect } from "react";

/** More than the depth of any nested dialogs. */
const MAX_PLACES = 50;
const HEADING = "h1[tabindex='-1'], h2[tabindex='-1']";

/** An element that had the focus, and its ancestors at that time, innermost first. */
interface Place {
  readonly element: HTMLElement;
  readonly around: readonly Element[];
}

/**
 * Restores the focus when the focused element is removed or disabled, because browsers then drop it. It goes back to a
 * button that was busy, otherwise to the heading of its section, otherwise to the previously focused element, such as
 * the opener of a dialog. A screen that sets the focus itself wins.
 */
export function useFocusRestore(): void {
  useEffect(() => {
    let places: Place[] = [];
    let frame = 0;
    const onFocus = ({ target }: FocusEvent) => {
      if (!(target instanceof HTMLElement)) return;
      const before = places.filter(({ element }) => element !== target);
      places = [{ element: target, around: ancestorsOf(target) }, ...before].slice(0, MAX_PLACES);
    };
    // No event of all browsers reports that an element was removed or disabled. After a click outside, the element is
    // still usable.
    const onBlur = ({ target }: FocusEvent) => {
      setTimeout(() => {
        const isLeft = isFocusLost() && target === places[0]?.element && isUsable(places[0].element);
        if (isLeft) places = [];
      });
    };
    const restore = () => {
      if (isFocusLost()) nextOf(places)?.focus({ preventScroll: true });
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

const isFocusLost = () => document.activeElement === document.body || document.activeElement === null;

const isUsable = (element: HTMLElement) => element.isConnected && !element.matches(":disabled");

/** Returns the element to focus; undefined while a button that had the focus is busy, or when none is left. */
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

/** Returns the ancestors below `body`, which dialogs share with the screen below. */
function ancestorsOf(element: Element): Element[] {
  const above: Element[] = [];
  for (let part = element.parentElement; part !== null && part !== document.body; part = part.parentElement) {
    above.push(part);
  }
  return above;
}
