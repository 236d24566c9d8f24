/** Enter acts on the current text, never on suggestions for an earlier one. */
import { beforeAll, expect, it } from "vitest";
import { companyBox, openTryStage, type TryStage } from "./support/trying.ts";
import { openStage, type Visit, visit } from "./support/visit.ts";

let stage: TryStage;
beforeAll(async () => {
  stage = await openTryStage();
});

/**
 * Types one text, waits for its suggestions, and types another followed by Enter before the page has fetched new ones.
 */
async function typeOver({ page }: Visit, before: string, text: string): Promise<void> {
  const box = companyBox(page);
  await box.fill(before);
  await page.getByRole("option").first().waitFor();
  await page.clock.install();
  await box.fill(text);
  await box.press("Enter");
  await page.clock.resume();
}

it("Enter on typed text looks up and charges nothing, and asks for a choice", async () => {
  const visitor = await stage.enter("enter@fabel.example");
  const { page } = visitor;
  const paths: string[] = [];
  page.on("request", (request) => {
    const { path = "" } = (request.postDataJSON() ?? {}) as { path?: string };
    if (path.startsWith("/v1/lookup/")) paths.push(path);
  });
  await typeOver(visitor, "fabelkor", "verzonnen veer");
  await page.getByText("Choose one of the suggestions").waitFor();
  expect([paths, await page.getByTestId("company").count()]).toEqual([[], 0]);
  await companyBox(page).press("ArrowDown");
  await companyBox(page).press("Enter");
  await companyBox(page).press("Enter");
  await page.getByTestId("company").waitFor();
  expect(paths).toEqual(["/v1/lookup/01234567"]);
});

it("the search box reads KVK numbers like a list does and accepts texts as long as a search allows", async () => {
  const { page } = await stage.enter("written@fabel.example");
  const box = companyBox(page);
  for (const text of ["KVK 50.000.001", "5000 0001", "\u200b50000001"]) {
    await box.fill("");
    await box.fill(text);
    await box.press("Enter");
    await expect.poll(() => page.getByTestId("company").count(), { message: text }).toBe(1);
    await page.getByRole("button", { name: /^Branches/ }).click();
    await page.getByTestId("branches").waitFor();
  }
  await box.fill("");
  await page.keyboard.insertText("x".repeat(1_000));
  expect((await box.inputValue()).length).toBe(700);
});

it("Enter chooses nothing for a visitor", async () => {
  const fixture = await openStage({ environment: { PUBLIC_SEARCH: "on" } });
  const visitor = await visit(fixture);
  await visitor.page.goto("/");
  await typeOver(visitor, "fabelkor", "verzonnen veer");
  await visitor.page.getByText("Choose one of the suggestions").waitFor();
  expect(await visitor.page.getByTestId("chosen").count()).toBe(0);
  expect(visitor.troubles).toEqual([]);
});
