/** What has the focus, and buttons that are pressed by the keyboard. */
import type { Page } from "playwright-core";

/** What has the focus, by its name; the document itself is nothing. */
const FOCUSED = `(() => {
  const { activeElement: at } = document;
  return at === null || at === document.body ? "nothing" : at.getAttribute("aria-label") ?? (at.innerText.trim() || at.labels?.[0]?.innerText);
})()`;
export const focused = (page: Page) => page.evaluate<string>(FOCUSED);

export const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name, exact: true });
/** Presses a button by the keyboard, which needs the focus on it, unlike a click in some browsers. */
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
