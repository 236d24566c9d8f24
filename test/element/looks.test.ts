/** Styling by the page, and the Dutch texts. */
import type { Page } from "playwright-core";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { thoroughIt } from "../kit/thorough.ts";
import { FAILURES } from "./support/failures.ts";
import {
  ask,
  box,
  field,
  hits,
  KEY,
  message,
  openElementStage,
  options,
  type Reply,
  type Stage,
  status,
  THREE,
} from "./support/stage.ts";

let stage: Stage;
beforeAll(async () => {
  stage = await openElementStage();
});
beforeEach(() => {
  stage.answering = () => hits(...THREE);
});

/** Returns a computed style of the first element with this part name. */
const shown = (page: Page, part: string, property: string) =>
  ask<string>(page, `getComputedStyle(node.shadowRoot.querySelector("[part=${part}]")).${property}`);

it("uses the page's variables for colours and its rules for parts", async () => {
  const { page } = await stage.open(field());
  await box(page).pressSequentially("bak");
  await options(page).first().waitFor();
  const before = await shown(page, "field", "outlineColor");
  await page.evaluate(`{
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(\`
      opzoek-autocomplete { --opzoek-accent: rgb(1, 2, 3); --opzoek-radius: 11px }
      opzoek-autocomplete::part(option) { background: rgb(4, 5, 6); padding-left: 23px }
      opzoek-autocomplete::part(match) { text-decoration: underline }\`);
    document.adoptedStyleSheets = [sheet];
  }`);
  expect(before).not.toBe("rgb(1, 2, 3)");
  expect(await shown(page, "field", "outlineColor")).toBe("rgb(1, 2, 3)");
  expect(await shown(page, "popup", "borderRadius")).toBe("11px");
  expect(await shown(page, "option", "backgroundColor")).toBe("rgb(4, 5, 6)");
  expect(await shown(page, "option", "paddingLeft")).toBe("23px");
  expect(await shown(page, "match", "textDecorationLine")).toBe("underline");
});

describe("in Dutch", () => {
  thoroughIt("every failure is explained, with what to do", async () => {
    const { page } = await stage.open(field(`lang="nl"`));
    for (const [at, [name, reply, _code, _english, words]] of FAILURES.entries()) {
      stage.answering = () => reply;
      // A new key allows a retry.
      await page.evaluate(`document.querySelector("opzoek-autocomplete").setAttribute("key", "${KEY}${at}")`);
      await box(page).fill(`bakker ${at}`);
      await expect.poll(() => stage.queries.at(-1), { message: name }).toBe(`bakker ${at}`);
      const expected = `${words}. Vul de naam of het KVK-nummer zelf in en ga verder.`;
      await expect.poll(() => message(page), { message: name }).toContain(expected);
      await expect.poll(() => status(page).textContent(), { message: name }).toContain(expected);
      stage.answering = () => hits(...THREE);
      await page.evaluate(`document.querySelector("opzoek-autocomplete").setAttribute("key", "${KEY}")`);
      await box(page).fill(`bakkerij ${at}`);
      await options(page).first().waitFor();
      expect(await message(page), name).toBe("");
    }
    await expect.poll(() => status(page).textContent()).toBe("Bedrijven gevonden: 3.");
  });

  it("a search that takes a second shows a notice", async () => {
    const never = Promise.withResolvers<Reply>();
    stage.answering = () => never.promise;
    const { page } = await stage.open(field(`lang="nl"`));
    await page.clock.install();
    await page.clock.pauseAt(Date.now() + 60_000);
    await box(page).fill("bak");
    await page.clock.runFor(1_500);
    expect(await status(page).textContent()).toBe("Nog aan het zoeken…");
    never.resolve(hits());
  });
});
