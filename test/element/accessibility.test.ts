/** The element for assistive technology, by axe, and in light, dark, narrow and high-contrast layouts. */
import type { Page } from "playwright-core";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { describeViolations, violationsOn } from "../dashboard/support/axe.ts";
import { IS_FIREFOX } from "../dashboard/support/firefox.ts";
import type { Visitor } from "../dashboard/support/visit.ts";
import { thoroughIt, variants } from "../kit/thorough.ts";
import {
  ask,
  box,
  field,
  hits,
  KORENAAR,
  openElementStage,
  options,
  refusal,
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

interface Node {
  readonly nodeId: string;
  readonly ignored: boolean;
  readonly role?: { readonly value?: unknown };
  readonly name?: { readonly value?: unknown };
  readonly properties?: readonly {
    readonly name: string;
    readonly value: {
      readonly value?: unknown;
      readonly relatedNodes?: readonly { readonly backendDOMNodeId: number }[];
    };
  }[];
  readonly backendDOMNodeId?: number;
}

/** Returns the accessibility tree. */
async function tree(page: Page): Promise<readonly Node[]> {
  const client = await page.context().newCDPSession(page);
  const { nodes } = (await client.send("Accessibility.getFullAXTree")) as { nodes: Node[] };
  return nodes.filter(({ ignored }) => !ignored);
}

const withRole = (nodes: readonly Node[], role: string) => nodes.filter((node) => node.role?.value === role);
const property = (node: Node | undefined, name: string) =>
  node?.properties?.find((one) => one.name === name)?.value;

/** The pause without changes before an announcement. */
const PAUSE_MS = 500;

describe("a screen reader", () => {
  it.skipIf(IS_FIREFOX)(
    "finds a named combobox that controls a list of options, and the active option",
    async () => {
      const { page } = await stage.open(field("required", "Your company"));
      const [closed] = withRole(await tree(page), "combobox");
      expect(closed?.name?.value).toBe("Your company");
      expect(property(closed, "expanded")?.value).toBe(false);
      expect(property(closed, "required")?.value).toBe(true);
      expect(property(closed, "autocomplete")?.value).toBe("list");
      expect(property(closed, "hasPopup")?.value).toBe("listbox");
      await box(page).pressSequentially("bak");
      await options(page).first().waitFor();
      await page.keyboard.press("ArrowDown");
      const nodes = await tree(page);
      const [open] = withRole(nodes, "combobox");
      const [list] = withRole(nodes, "listbox");
      const all = withRole(nodes, "option");
      expect(property(open, "expanded")?.value).toBe(true);
      expect(property(open, "controls")?.relatedNodes?.[0]?.backendDOMNodeId).toBe(list?.backendDOMNodeId);
      expect(property(open, "activedescendant")?.relatedNodes?.[0]?.backendDOMNodeId).toBe(
        all[0]?.backendDOMNodeId,
      );
      expect(list?.name?.value).toBe("Companies found");
      expect(all.map((node) => node.name?.value)).toEqual([
        "Bakkerij De Gouden Korenaar B.V. Fabelstad 50000011",
        "Café Korenmolen also: Bakkerij onder de Wieken Sprookveen 50000012",
        "Bakkerij Korfhuis 50000013",
      ]);
      expect(all.map((node) => property(node, "selected")?.value)).toEqual([true, false, false]);
    },
  );

  thoroughIt("announces the number of hits and the choice, once each, after a pause in typing", async () => {
    const { page } = await stage.open(field());
    await page.evaluate(`{
      globalThis.announced = [];
      const region = document.querySelector("opzoek-autocomplete").shadowRoot.querySelector("[role=status]");
      new MutationObserver(() => announced.push(region.textContent)).observe(region, { childList: true });
    }`);
    // Uses the page's clock, so that only the test lets time pass.
    await page.clock.install();
    await page.clock.pauseAt(Date.now() + 60_000);
    for (const letter of "bakker") {
      await box(page).press(letter);
      await page.clock.runFor(20);
    }
    await expect.poll(() => stage.queries.at(-1)).toBe("bakker");
    await expect.poll(() => ask(page, `node.shadowRoot.getElementById("list").ariaBusy`)).toBe("false");
    await page.clock.runFor(PAUSE_MS);
    expect(await page.evaluate("announced")).toEqual(["Companies found: 3."]);
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.clock.runFor(PAUSE_MS);
    const chosen = `Chosen: ${KORENAAR.name}, KVK 50000011.`;
    expect(await page.evaluate("announced")).toEqual(["Companies found: 3.", chosen]);
    expect(await status(page).innerText()).toBe(chosen);
  });

  it.skipIf(IS_FIREFOX)(
    "names the field by its own label, a surrounding one, or a default in its language",
    async () => {
      const { page } = await stage.open(`<label>Around it <opzoek-autocomplete></opzoek-autocomplete></label>
      <opzoek-autocomplete aria-label="Own"></opzoek-autocomplete><div lang="nl-NL"><opzoek-autocomplete></opzoek-autocomplete></div>`);
      const names = withRole(await tree(page), "combobox").map((node) => node.name?.value);
      expect(names.toSorted()).toEqual(["Around it", "Bedrijf", "Own"]);
    },
  );
});

const VISITORS: readonly (readonly [string, Visitor])[] = [
  ["light", {}],
  ["dark, on a small phone", { colorScheme: "dark", width: 320 }],
];

describe.each(variants(VISITORS, { ordinary: 1 }))("%s", (_name, visitor) => {
  it("has no axe violations with an open list, an error and an invalid form", async () => {
    const { page } = await stage.open(`<form>${field("required")}<button>Send</button></form>`, visitor);
    const look = async () => describeViolations(await violationsOn(page));
    await page.getByRole("button", { name: "Send" }).click();
    expect(await look()).toEqual([]);
    await box(page).pressSequentially("bak");
    await options(page).first().waitFor();
    await page.keyboard.press("ArrowDown");
    expect(await look()).toEqual([]);
    // A list that scrolls.
    const many = Array.from({ length: 20 }, (_, index) => ({
      ...KORENAAR,
      kvkNumber: `500001${10 + index}`,
    }));
    stage.answering = () => hits(...many);
    await box(page).fill("bakk");
    await options(page).nth(19).waitFor();
    const list = `node.shadowRoot.getElementById("list")`;
    expect(await ask(page, `${list}.scrollHeight > ${list}.clientHeight`)).toBe(true);
    expect(await look()).toEqual([]);
    await page.keyboard.press("ArrowUp");
    expect(await ask(page, `${list}.scrollTop > 0`)).toBe(true);
    stage.answering = () => refusal(502, "UPSTREAM_ERROR");
    await box(page).fill("bakker");
    await page.getByText("is not available at the moment").first().waitFor();
    expect(await look()).toEqual([]);
  });
});

describe("the list", () => {
  const fits = `(() => {
    const { left, right, top, bottom } = node.shadowRoot.querySelector("[part=popup]").getBoundingClientRect();
    return [left >= 0, right <= innerWidth, top >= 0, bottom <= innerHeight, document.documentElement.scrollWidth <= innerWidth];
  })()`;
  const ALL = [true, true, true, true, true];

  it.each(
    variants(
      [
        ["in a narrow field at the right of 320 px", `<div style_="right">`, ""],
        ["at the foot of the window", `<div style_="foot">`, ""],
        ["from right to left", `<div dir="rtl">`, ""],
      ],
      { ordinary: 1 },
    ),
  )("stays in view %s", async (_name, around) => {
    const { page } = await stage.open(`${around}${field()}</div>`, { width: 320 });
    // Set by script, because the page's policy allows no inline style.
    await page.evaluate(`{
      const div = document.querySelector("[style_]");
      const looks = { right: "width:7rem;margin-inline-start:auto", foot: "position:fixed;bottom:0;width:12rem" };
      if (div !== null) div.style.cssText = looks[div.getAttribute("style_")];
    }`);
    await box(page).pressSequentially("bak");
    await options(page).first().waitFor();
    expect(await ask(page, fits)).toEqual(ALL);
  });

  thoroughIt("is not clipped by its container, and moves along when that scrolls", async () => {
    const { page } = await stage.open(`<div id="card">${field()}<p>More</p></div>`);
    await page.evaluate(`document.getElementById("card").style.cssText = "height:8rem;overflow:auto;transform:translateX(20px)";
      document.querySelector("p").style.height = "60rem"`);
    await box(page).pressSequentially("bak");
    await options(page).nth(2).click({ trial: true });
    const gap = `(() => {
      const root = node.shadowRoot;
      return Math.round(root.querySelector("[part=popup]").getBoundingClientRect().top - root.querySelector("[part=field]").getBoundingClientRect().bottom);
    })()`;
    expect(await ask(page, gap)).toBe(4);
    await page.evaluate(`document.getElementById("card").scrollTop = 15`);
    await expect.poll(() => ask(page, gap)).toBe(4);
  });

  it.skipIf(IS_FIREFOX)("allows a choice by touch, and keeps the focus in the field", async () => {
    const { page } = await stage.open(field());
    const client = await page.context().newCDPSession(page);
    await box(page).pressSequentially("bak");
    await options(page).nth(1).waitFor();
    const { x = 0, y = 0 } = (await options(page).nth(1).boundingBox()) ?? {};
    await client.send("Input.dispatchTouchEvent", {
      type: "touchStart",
      touchPoints: [{ x: x + 20, y: y + 10 }],
    });
    await client.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
    await expect.poll(() => ask(page, "node.value")).toBe("50000012");
    expect(await ask(page, "node.shadowRoot.activeElement?.id")).toBe("input");
  });

  thoroughIt("shows the active option in high contrast with system colours", async () => {
    const { page } = await stage.open(field());
    await page.emulateMedia({ forcedColors: "active" });
    await box(page).pressSequentially("bak");
    await options(page).first().waitFor();
    await page.keyboard.press("ArrowDown");
    const backgrounds = await ask<string[]>(
      page,
      `[...node.shadowRoot.querySelectorAll("li")].map((option) => getComputedStyle(option).backgroundColor)`,
    );
    expect(backgrounds[0]).not.toBe(backgrounds[1]);
  });
});
