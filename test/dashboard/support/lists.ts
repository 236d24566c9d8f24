/** Steps of a test with a list on the page. */
import { readFileSync } from "node:fs";
import type { Page, Route } from "playwright-core";
import { type StoreFixture, signUp, type Visit, type Visitor, visit } from "./visit.ts";

/** Signs a person up, and opens the first step of a list. */
export async function enterLists(
  fixture: StoreFixture,
  email: string,
  visitor: Visitor = {},
): Promise<Visit> {
  const seen = await visit(fixture, visitor);
  await signUp(seen, email);
  await seen.page.goto("/#/try/list");
  await seen.page.reload();
  await seen.page.locator("input[type=file]").waitFor({ state: "attached" });
  return seen;
}

/** Returns the file that a button downloads. */
export async function downloaded(page: Page, button: string): Promise<{ name: string; content: Buffer }> {
  const downloading = page.waitForEvent("download");
  await page.getByRole("button", { name: button }).click();
  const download = await downloading;
  return { name: download.suggestedFilename(), content: readFileSync(await download.path()) };
}

/** Drops a file on the page. */
export async function drop(page: Page, text: string): Promise<void> {
  const dataTransfer = await page.evaluateHandle(
    `(() => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([${JSON.stringify(text)}], "lijst.csv", { type: "text/csv" }));
      return transfer;
    })()`,
  );
  await page.locator(".dropzone").dispatchEvent("drop", { dataTransfer });
}

/** Returns the idempotency key of a call that starts a job; undefined for any other call. */
export function startKeyOf(route: Route): string | undefined {
  const { pathname, searchParams } = new URL(route.request().url());
  return pathname === "/account/try/list" ? (searchParams.get("idempotencyKey") ?? undefined) : undefined;
}

/** Returns the tokens that the page's account has used this month. */
export function usedBy(page: Page): Promise<number> {
  return page.evaluate(
    "fetch('/account/usage').then((response) => response.json()).then(({ used }) => used)",
  );
}
