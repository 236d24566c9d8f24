/** The form around the element always holds the element's company. */
import type { Page } from "playwright-core";
import { beforeAll, beforeEach, expect, it } from "vitest";
import { variants } from "../kit/thorough.ts";
import {
  ask,
  box,
  field,
  hits,
  KORENAAR,
  KORENMOLEN,
  openElementStage,
  options,
  type Stage,
  THREE,
} from "./support/stage.ts";

const FORM = `<form>${field("lookup")}${["name", "city", "street"]
  .map((name) => `<input aria-label="${name}" name="${name}" data-opzoek-fill="${name}">`)
  .join("")}<input aria-label="note" name="note"><button type="reset">Undo</button></form>`;

let stage: Stage;
beforeAll(async () => {
  stage = await openElementStage();
});
beforeEach(() => {
  stage.answering = ({ pathname, searchParams }) => {
    if (pathname.startsWith("/v1/lookup/")) {
      const company = THREE.find(({ kvkNumber }) => pathname.endsWith(kvkNumber));
      return { body: { ...company, address: { street: "Molenpad" } } };
    }
    const all = hits(...THREE);
    const { kvkNumber } = KORENMOLEN;
    return /^\d+$/.test(searchParams.get("q") ?? "")
      ? hits(...(searchParams.get("q") === kvkNumber ? [KORENMOLEN] : []))
      : all;
  };
});

const filled = (page: Page) =>
  page.evaluate<string[]>(`["name", "city", "street"].map((name) => document.forms[0].elements[name].value)`);
const lookups = () => stage.requests.filter(({ pathname }) => pathname.includes("/lookup/")).length;

async function choose(page: Page): Promise<void> {
  await box(page).fill("");
  await box(page).fill("bak");
  await options(page).first().click();
  await expect.poll(() => filled(page)).toEqual([KORENAAR.name, KORENAAR.city, "Molenpad"]);
}

it.each(
  variants(
    [
      ["the button that clears", (page: Page) => page.getByRole("button", { name: "Clear" }).click()],
      ["another text", (page: Page) => box(page).fill("fabel")],
      [
        "a letter less",
        async (page: Page) => {
          await box(page).press("End");
          await box(page).press("Backspace");
        },
      ],
      ["a number of no company", (page: Page) => box(page).fill("59999999")],
    ],
    { ordinary: 1 },
  ),
)("on %s, empties the fields that it filled and keeps typed text", async (_how, change) => {
  const { page } = await stage.open(FORM);
  await choose(page);
  await change(page);
  expect(await filled(page)).toEqual(["", "", ""]);
  await choose(page);
  await page.getByLabel("street").fill("Typed 1");
  await page.getByLabel("note").fill("mine");
  await change(page);
  expect([await filled(page), await page.getByLabel("note").inputValue()]).toEqual([
    ["", "", "Typed 1"],
    "mine",
  ]);
});

it("fills the form for a complete typed number, looks it up once, and empties the form with it", async () => {
  const { page, troubles } = await stage.open(FORM);
  await box(page).fill(KORENMOLEN.kvkNumber);
  await expect.poll(() => filled(page)).toEqual([KORENMOLEN.name, KORENMOLEN.city, "Molenpad"]);
  await options(page).first().click();
  expect(await ask(page, "node.company?.name")).toBe(KORENMOLEN.name);
  expect(lookups()).toBe(1);
  await page.getByRole("button", { name: "Clear" }).click();
  expect(await filled(page)).toEqual(["", "", ""]);
  await box(page).fill("59999999");
  await page.getByText("Nothing found.").first().waitFor();
  expect([await filled(page), lookups()]).toEqual([["", "", ""], 1]);
  expect(troubles).toEqual([]);
});

it("fills the form again for the same company after a reset", async () => {
  const { page } = await stage.open(FORM);
  await choose(page);
  await page.getByRole("button", { name: "Undo" }).click();
  expect(await filled(page)).toEqual(["", "", ""]);
  await choose(page);
});
