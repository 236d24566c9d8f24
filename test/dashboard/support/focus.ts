/** Reads the focus, and presses buttons with the keyboard. */
import type { Page } from "playwright-core";

/** Returns the name of the focused element; empty for the document itself. */
const FOCUSED = `(() => {
  const { activeElement: at } = document;
  return at === null || at === document.body ? "nothing" : at.getAttribute("aria-label") ?? (at.innerText.trim() || at.labels?.[0]?.innerText);
})()`;
export const focused = (page: Page) => page.evaluate<string>(FOCUSED);

export const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name, exact: true });
/** Presses a button with the keyboard, which focuses it in all browsers, unlike a click. */
export const press = (page: Page, name: string | RegExp) => button(page, name).press("Enter");
export const inDialog = (page: Page, name: string) =>
  page.getByRole("dialog").getByRole("button", { name, exact: true });
export const gone = (page: Page) => page.getByRole("dialog").waitFor({ state: "detached" });

export async function makeKey(page: Page, name: string): Promise<void> {
  await press(page, "New key");
  await page.getByLabel("Name").fill(name);
  await press(page, "Create key");
  await press(page, "I’ve saved it");
  await page.getByTestId(`key-${name}`).waitFor();
}
