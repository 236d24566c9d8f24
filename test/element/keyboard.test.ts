/** The element with the keyboard, by the ARIA pattern of an editable combobox with a list (APG 1.2). */
import type { Page } from "playwright-core";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { IS_FIREFOX } from "../dashboard/support/firefox.ts";
import { variants } from "../kit/thorough.ts";
import {
  ask,
  box,
  field,
  hits,
  KORENAAR,
  KORENMOLEN,
  KORFHUIS,
  openElementStage,
  options,
  type Reply,
  type Stage,
  THREE,
} from "./support/stage.ts";

let stage: Stage;
beforeAll(async () => {
  stage = await openElementStage();
});
beforeEach(() => {
  stage.answering = () => hits(...THREE);
});

const activeText = (page: Page) =>
  page.evaluate<string | undefined>(`(() => {
    const root = document.querySelector("opzoek-autocomplete").shadowRoot;
    const id = root.querySelector("input").getAttribute("aria-activedescendant");
    return id === null ? undefined : root.getElementById(id).querySelector("[part=name]").textContent;
  })()`);

describe("the keyboard", () => {
  it.each(variants(["Enter", "Tab"], { ordinary: 1 }))(
    "waits on %s for the list of the current text, and chooses from no other",
    async (key) => {
      const { page } = await stage.open(`<form>${field()}<button>Send</button></form>`);
      await page.evaluate(`document.addEventListener("submit", (event) => event.preventDefault())`);
      for (const [text, list, value] of [
        ["kor", [KORENMOLEN, KORENAAR], KORENAAR.kvkNumber],
        ["korf", [KORFHUIS], ""],
      ] as const) {
        const late = Promise.withResolvers<Reply>();
        stage.answering = ({ searchParams }) =>
          searchParams.get("q") === text ? late.promise : hits(...THREE);
        await box(page).fill("");
        await box(page).fill("ko");
        await options(page).nth(2).waitFor();
        await box(page).fill(text);
        await page.keyboard.press("ArrowDown");
        await page.keyboard.press(key);
        expect(await ask(page, "node.value"), "before the answer").toBe("");
        late.resolve(hits(...list));
        await expect.poll(() => ask(page, `node.shadowRoot.getElementById("list").ariaBusy`)).toBe("false");
        await expect.poll(() => ask(page, "node.value")).toBe(value);
      }
    },
  );

  it("walks through the list, and chooses with Enter", async () => {
    const { page, troubles } = await stage.open(field());
    await page.keyboard.press("Tab");
    await page.keyboard.insertText("bak");
    await options(page).nth(2).waitFor();
    const input = box(page);
    expect(await input.getAttribute("aria-expanded")).toBe("true");
    expect(await activeText(page)).toBeUndefined();
    for (const [key, name] of [
      ["ArrowDown", KORENAAR.name],
      ["ArrowDown", KORENMOLEN.name],
      ["ArrowUp", KORENAAR.name],
      ["ArrowUp", KORFHUIS.name],
      ["ArrowDown", KORENAAR.name],
      ["End", undefined],
      ["ArrowUp", KORFHUIS.name],
      ["Home", undefined],
      ["ArrowDown", KORENAAR.name],
      ["ArrowLeft", undefined],
      ["ArrowDown", KORENAAR.name],
    ] as const) {
      await page.keyboard.press(key);
      expect(await activeText(page), key).toBe(name);
    }
    await page.keyboard.press("Enter");
    expect(await input.inputValue()).toBe(KORENAAR.name);
    expect(await input.getAttribute("aria-expanded")).toBe("false");
    expect(await ask(page, "node.value")).toBe(KORENAAR.kvkNumber);
    expect(await options(page).count()).toBe(0);
    expect(stage.queries.at(-1)).toBe("bak");
    expect(troubles).toEqual([]);
  });

  it("closes with Escape, empties with a second one, opens with Alt+Down, closes with Alt+Up", async () => {
    const { page } = await stage.open(field());
    const input = box(page);
    await input.fill("bak");
    await options(page).first().waitFor();
    await page.keyboard.press("Escape");
    await options(page).first().waitFor({ state: "hidden" });
    expect(await input.inputValue()).toBe("bak");
    await page.keyboard.press("Alt+ArrowDown");
    await options(page).first().waitFor();
    expect(await activeText(page)).toBeUndefined();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Alt+ArrowUp");
    await options(page).first().waitFor({ state: "hidden" });
    await page.keyboard.press("ArrowDown");
    expect(await activeText(page)).toBe(KORENAAR.name);
    await page.keyboard.press("Escape");
    await page.keyboard.press("Escape");
    expect(await input.inputValue()).toBe("");
  });

  it("chooses the active option with Tab, and moves on", async () => {
    const { page } = await stage.open(`${field()}<button id="next">Next</button>`);
    await box(page).fill("bak");
    await options(page).first().waitFor();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Tab");
    expect(await page.evaluate("document.activeElement.id")).toBe("next");
    expect(await ask(page, "node.value")).toBe(KORENAAR.kvkNumber);
  });

  it("closes when it loses the focus, and chooses nothing", async () => {
    const { page } = await stage.open(`${field()}<button id="next">Next</button>`);
    await box(page).fill("bak");
    await options(page).first().waitFor();
    await page.keyboard.press("Tab");
    expect(await page.evaluate("document.activeElement.id")).toBe("next");
    expect(await options(page).count()).toBe(0);
    expect(await ask(page, "node.value")).toBe("");
  });

  it("keeps the active option in view", async () => {
    const many = Array.from({ length: 20 }, (_, index) => ({
      kvkNumber: `500001${index + 10}`,
      name: `Fabelwinkel ${index + 1}`,
      city: "Fabelstad",
    }));
    stage.answering = () => hits(...many);
    const { page } = await stage.open(field(`limit="20"`));
    await box(page).fill("fab");
    await options(page).first().waitFor();
    await page.keyboard.press("ArrowUp");
    const inView = `(() => {
      const popup = node.shadowRoot.querySelector("[part=popup]").getBoundingClientRect();
      const on = node.shadowRoot.querySelector("[aria-selected=true]").getBoundingClientRect();
      return on.top >= popup.top && on.bottom <= popup.bottom && popup.bottom <= innerHeight;
    })()`;
    expect(await activeText(page)).toBe("Fabelwinkel 20");
    expect(await ask(page, inView)).toBe(true);
    expect(stage.requests.at(-1)?.searchParams.get("limit")).toBe("20");
    await page.keyboard.press("Escape");
    await page.keyboard.press("ArrowUp");
    expect(await activeText(page)).toBe("Fabelwinkel 20");
    expect(await ask(page, inView)).toBe(true);
  });

  it.skipIf(IS_FIREFOX)(
    "searches during an input method's composition, and leaves its keys alone",
    async () => {
      const late = Promise.withResolvers<Reply>();
      stage.answering = ({ searchParams }) =>
        searchParams.get("q") === "bak" ? late.promise : hits(...THREE);
      const { page } = await stage.open(field());
      await box(page).focus();
      const client = await page.context().newCDPSession(page);
      await client.send("Input.imeSetComposition", { text: "ba", selectionStart: 2, selectionEnd: 2 });
      await client.send("Input.imeSetComposition", { text: "bak", selectionStart: 3, selectionEnd: 3 });
      await expect.poll(() => stage.queries.at(-1)).toBe("bak");
      late.resolve(hits(KORENMOLEN));
      await expect.poll(() => options(page).count()).toBe(1);
      await ask(page, `node.setCustomValidity("")`);
      expect(await box(page).inputValue()).toBe("bak");
      await client.send("Input.imeSetComposition", { text: "bakk", selectionStart: 4, selectionEnd: 4 });
      await options(page).nth(2).waitFor();
      expect(await box(page).inputValue()).toBe("bakk");
      await client.send("Input.insertText", { text: "bakker" });
      await expect.poll(() => stage.queries.at(-1)).toBe("bakker");
      expect(await box(page).inputValue()).toBe("bakker");
    },
  );
});
