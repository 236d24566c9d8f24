/** What is done to a list on the page. */
import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";

/** The file that a button gives. */
export async function downloaded(page: Page, button: string): Promise<{ name: string; content: Buffer }> {
  const downloading = page.waitForEvent("download");
  await page.getByRole("button", { name: button }).click();
  const download = await downloading;
  return { name: download.suggestedFilename(), content: readFileSync(await download.path()) };
}

/** Drops a file on the page as a browser hands it over. */
export async function drop(page: Page, text: string): Promise<void> {
  const dataTransfer = await page.evaluateHandle(
    `(() => {
      const held = new DataTransfer();
      held.items.add(new File([${JSON.stringify(text)}], "lijst.csv", { type: "text/csv" }));
      return held;
    })()`,
  );
  await page.locator(".dropzone").dispatchEvent("drop", { dataTransfer });
}
