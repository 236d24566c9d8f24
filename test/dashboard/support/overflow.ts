import type { Page } from "playwright-core";

/**
 * Finds content that does not fit: a page wider than the screen, content outside its card, words that are cut off or
 * break after "KVK-", and tabs in two rows. Elements that scroll, and elements with the whole text in their title, are
 * ignored.
 */
const FIND = `(() => {
  const faults = [];
  const name = (element) => element.tagName.toLowerCase() + "." + [...element.classList].filter((one) => !one.startsWith("m_")).join(".")
    + " “" + (element.textContent ?? "").trim().slice(0, 40) + "”";
  const root = document.documentElement;
  if (root.scrollWidth > root.clientWidth) faults.push("the page is " + (root.scrollWidth - root.clientWidth) + " px too wide");
  const scrolls = (element) => /auto|scroll/.test(getComputedStyle(element).overflowX);
  const isHidden = (element) => !element.checkVisibility({ visibilityProperty: true, opacityProperty: true })
    || element.closest("[inert], .skip, .mantine-VisuallyHidden-root, svg") !== null
    || [element.closest("thead")].some((head) => head !== null && getComputedStyle(head).position === "absolute");
  for (const card of document.querySelectorAll(".surface, .plan, .dialog, main, .notice")) {
    if (isHidden(card)) continue;
    const box = card.getBoundingClientRect();
    for (const element of card.querySelectorAll("*")) {
      if (isHidden(element)) continue;
      let up = element.parentElement;
      while (up !== card && up !== null && !scrolls(up)) up = up.parentElement;
      if (up !== card || scrolls(card) && card.matches(".dialog")) continue;
      const { left, right, width, height } = element.getBoundingClientRect();
      // Allows one pixel for rounding; elements of one pixel are for screen readers.
      if (width < 2 || height < 2 || getComputedStyle(element).position === "absolute") continue;
      if (right > box.right + 1 || left < box.left - 1)
        faults.push(name(element) + " leaves " + name(card) + " by " + Math.round(Math.max(right - box.right, box.left - left)) + " px");
    }
  }
  for (const row of document.querySelectorAll(".tab-row")) {
    const tabs = [...row.children].map((tab) => tab.getBoundingClientRect());
    if (new Set(tabs.map(({ top }) => Math.round(top))).size > 1) faults.push(name(row) + " wraps");
    const { left, right } = row.getBoundingClientRect();
    const chosen = row.querySelector("[aria-selected=true]")?.getBoundingClientRect();
    if (chosen !== undefined && (chosen.left < left - 1 || chosen.left >= right)) faults.push(name(row) + " hides the chosen tab");
  }
  for (const element of document.querySelectorAll("#root *, [role=dialog] *")) {
    if (isHidden(element) || element.closest("[title]") !== null) continue;
    const style = getComputedStyle(element);
    const hasText = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim() !== "");
    if (hasText && /hidden|clip/.test(style.overflowX) && element.clientWidth > 1 && element.scrollWidth > element.clientWidth + 1)
      faults.push(name(element) + " is cut off");
    const ownText = [...element.childNodes].filter((node) => node.nodeType === 3).map((node) => node.textContent).join(" ");
    if (element.closest("code, pre, .prose") === null && /(?<!\\p{L})(\\p{Lu}{2,5}|[Bb]tw|[Ee])-\\p{L}/u.test(ownText))
      faults.push(name(element) + " may break within a word");
    if (element.tagName !== "SELECT") continue;
    const pen = document.createElement("canvas").getContext("2d");
    pen.font = style.font;
    const room = element.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
    const shown = element.selectedOptions[0]?.textContent ?? "";
    if (pen.measureText(shown).width > room + 1) faults.push("the choice “" + shown + "” is cut off");
  }
  return [...new Set(faults)].slice(0, 12);
})()`;

/** Describes everything that does not fit on the current page. */
export function overflows(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(FIND);
}
