/** Late, wrong, slow and refused answers, hostile names, and how often the service is asked. */
import type { Page } from "playwright-core";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { IS_FIREFOX } from "../dashboard/support/firefox.ts";
import { variants } from "../kit/thorough.ts";
import { FAILURES } from "./support/failures.ts";
import {
  ask,
  box,
  field,
  hits,
  KEY,
  KORENAAR,
  KORENMOLEN,
  message,
  openElementStage,
  options,
  type Reply,
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

const note = (page: Page) => ask<string>(page, `node.shadowRoot.querySelector("[part=note]").textContent`);

/** Of the list: what is in it is about to change. */
const isBusy = (page: Page) => ask<string>(page, `node.shadowRoot.getElementById("list").ariaBusy`);

describe("typing", () => {
  it("asks after a pause, once, in a session that ends with a choice", async () => {
    const { page } = await stage.open(field(`debounce="300"`));
    await page.clock.install();
    await page.clock.pauseAt(Date.now() + 60_000);
    await box(page).pressSequentially("bak");
    await page.clock.runFor(299);
    expect(stage.queries).toEqual([]);
    await page.clock.runFor(1);
    await expect.poll(() => stage.queries).toEqual(["bak"]);
    const [first] = stage.asked;
    expect(first?.searchParams.get("session")).toMatch(/^[A-Za-z0-9_-]{16,64}$/);
    expect(first?.searchParams.get("apikey")).toBe(KEY);
    await options(page).first().waitFor();
    await page.keyboard.type("k");
    await page.clock.runFor(300);
    await expect.poll(() => stage.queries).toEqual(["bak", "bakk"]);
    // What was told in the session is not asked again.
    await page.keyboard.press("Backspace");
    await options(page).first().click();
    await box(page).fill("kor");
    await page.clock.runFor(300);
    await expect.poll(() => stage.queries).toEqual(["bak", "bakk", "kor"]);
    const sessions = stage.asked.map(({ searchParams }) => searchParams.get("session"));
    expect(sessions[1]).toBe(sessions[0]);
    expect(sessions[2]).not.toBe(sessions[0]);
  });

  it("asks for nothing too short, and sends other keys than those for browsers in a header", async () => {
    const { page } = await stage.open(field(`min-length="4"`).replace("opz_pub_", "opz_test_"));
    await box(page).pressSequentially("bak");
    await page.keyboard.type("k");
    await options(page).first().waitFor();
    expect(stage.queries).toEqual(["bakk"]);
    expect(stage.asked[0]?.searchParams.has("apikey")).toBe(false);
  });

  it("never shows a late answer over a newer one", async () => {
    const late = Promise.withResolvers<Reply>();
    stage.answering = ({ searchParams }) =>
      searchParams.get("q") === "ba" ? late.promise : hits(KORENMOLEN);
    const { page } = await stage.open(field());
    await box(page).fill("ba");
    await expect.poll(() => stage.queries).toEqual(["ba"]);
    await box(page).fill("kor");
    await options(page).first().waitFor();
    late.resolve(hits(KORENAAR));
    await box(page).fill("korenmolen");
    await expect.poll(() => stage.queries.length).toBe(3);
    expect(await options(page).allInnerTexts()).toEqual([expect.stringContaining(KORENMOLEN.name)]);
  });
});

describe("what is told of a hit", () => {
  it("is text, whatever a company is called", async () => {
    const name = `<img src=x onerror="document.title='hit'"> & Zn. "B.V." </li><script>document.title='hit'</script>`;
    stage.answering = () => hits({ kvkNumber: "50000066", name, city: "<b>Stad</b>", matchedName: "<i>Img" });
    const { page, troubles } = await stage.open(field());
    await box(page).pressSequentially("img");
    await options(page).first().waitFor();
    expect(await options(page).first().innerText()).toContain(name);
    expect(await ask(page, `node.shadowRoot.querySelectorAll("li img, li script, li i").length`)).toBe(0);
    await options(page).first().click();
    expect(await box(page).inputValue()).toBe(name);
    expect(await page.title()).toBe("A form");
    expect(troubles).toEqual([]);
  });

  it("has what was typed in bold, the trading name that fitted, and that a name was misspelled", async () => {
    stage.answering = () => hits(KORENMOLEN);
    const { page } = await stage.open(field());
    await box(page).pressSequentially("cafe wieken");
    const bold = `[...node.shadowRoot.querySelectorAll("b")].map((b) => b.textContent)`;
    await expect.poll(() => ask(page, bold)).toEqual(["Café", "Wieken"]);
    expect(await options(page).innerText()).toContain("also: Bakkerij onder de Wieken");
    stage.answering = () => hits({ ...KORENAAR, isFuzzy: true });
    await box(page).fill("bakkre");
    await expect.poll(() => note(page)).toBe("No exact match. Did you mean:");
    await expect
      .poll(() => status(page).innerText())
      .toBe("Companies found: 1. No exact match. Did you mean:");
  });
});

describe("no answer", () => {
  it.each(variants(FAILURES, { ordinary: 3 }))(
    "of %s is told in words, by an event, and holds nothing back",
    async (_name, reply, code, words) => {
      stage.answering = () => reply;
      const { page } = await stage.open(`<form>${field("required")}</form>`);
      await page.evaluate(
        `document.addEventListener("opzoek-error", ({ detail }) => { document.title += " " + detail.code; })`,
      );
      await box(page).fill("bakker");
      await expect.poll(() => message(page)).toContain(words);
      await expect.poll(() => status(page).innerText()).toContain(words);
      expect(await page.title()).toBe(`A form ${code}`);
      expect(await page.evaluate("document.forms[0].checkValidity()")).toBe(true);
      expect(await box(page).getAttribute("aria-expanded")).toBe("false");
    },
  );

  it("of a key that is refused or used up is not asked for again with each letter", async () => {
    stage.answering = () => refusal(429, "QUOTA_EXCEEDED", { "retry-after": "86400" });
    const { page } = await stage.open(field());
    await page.clock.install();
    await page.clock.pauseAt(Date.now() + 60_000);
    await box(page).fill("ba");
    await page.clock.runFor(10);
    await expect.poll(() => message(page)).toContain("limit has been reached");
    await box(page).fill("bak");
    await page.clock.fastForward(3_600_000);
    await box(page).fill("bakk");
    await page.clock.runFor(10);
    expect(await message(page)).toContain("limit has been reached");
    expect(stage.queries).toEqual(["ba"]);
    // Another key is another chance.
    stage.answering = () => hits(KORENAAR);
    await page.evaluate(`document.querySelector("opzoek-autocomplete").setAttribute("key", "${KEY}1")`);
    await box(page).fill("bak");
    await page.clock.runFor(10);
    await options(page).first().waitFor();
    expect(await message(page)).toBe("");
  });

  it("for too many calls waits as long as the service says, says so, and goes on by itself", async () => {
    stage.answering = () => refusal(429, "RATE_LIMIT_EXCEEDED", { "retry-after": "30" });
    const { page } = await stage.open(field());
    await page.clock.install();
    await page.clock.pauseAt(Date.now() + 60_000);
    await box(page).fill("bak");
    await page.clock.runFor(10);
    await expect.poll(() => message(page)).toContain("Search continues in 30 s.");
    await page.clock.runFor(20_000);
    await box(page).fill("kor");
    expect(await message(page)).toContain("Search continues in 10 s.");
    stage.answering = () => hits(KORENMOLEN);
    await page.clock.runFor(9_000);
    expect(stage.queries).toEqual(["bak"]);
    await page.clock.runFor(1_100);
    await options(page).first().waitFor();
    expect(stage.queries).toEqual(["bak", "kor"]);
    expect(await message(page)).toBe("");
  });

  it.each<[string, Reply]>(
    variants(
      [
        ["of the service", refusal(503, "SERVICE_UNAVAILABLE", { "retry-after": "20" })],
        ["of a proxy", { status: 503, headers: { "retry-after": "20" }, body: "<h1>Be back soon</h1>" }],
      ],
      { ordinary: 1 },
    ),
  )("with 503 and a Retry-After %s is asked for again then, and by no letter before", async (_, reply) => {
    stage.answering = () => reply;
    const { page } = await stage.open(`<form>${field("required")}</form>`);
    await page.evaluate(`{
      globalThis.told = [];
      document.addEventListener("opzoek-error", ({ detail }) => told.push([detail.code, detail.status, detail.retryAfterSeconds]));
    }`);
    await page.clock.install();
    await page.clock.pauseAt(Date.now() + 60_000);
    await box(page).fill("bak");
    await page.clock.runFor(10);
    await expect.poll(() => message(page)).toContain("is not available at the moment");
    expect(await page.evaluate("document.forms[0].checkValidity()")).toBe(true);
    await page.clock.runFor(15_000);
    await box(page).fill("kor");
    await page.clock.runFor(4_900);
    expect(stage.queries).toEqual(["bak"]);
    // Still busy: it is waited for again, as long as it says.
    await page.clock.runFor(200);
    await expect.poll(() => stage.queries).toEqual(["bak", "kor"]);
    await expect.poll(() => page.evaluate("told")).toEqual(Array(2).fill(["SERVICE_UNAVAILABLE", 503, 20]));
    stage.answering = () => hits(KORENMOLEN);
    await page.clock.runFor(20_100);
    await options(page).first().waitFor();
    expect(stage.queries).toEqual(["bak", "kor", "kor"]);
    expect(await message(page)).toBe("");
  });

  it("in a second is told as a search that goes on, and in eight as none", async () => {
    const never = Promise.withResolvers<Reply>();
    stage.answering = () => never.promise;
    const { page } = await stage.open(field());
    await page.clock.install();
    await page.clock.pauseAt(Date.now() + 60_000);
    await box(page).fill("bak");
    await page.clock.runFor(1_500);
    expect(await note(page)).toBe("Still searching…");
    expect(await status(page).textContent()).toBe("Still searching…");
    expect(await isBusy(page)).toBe("true");
    await page.clock.runFor(7_000);
    await expect.poll(() => message(page)).toContain("is not available at the moment");
    expect(await isBusy(page)).toBe("false");
    never.resolve(hits());
  });

  it.skipIf(IS_FIREFOX)(
    "without a network is told as that, and asked for again when it is back",
    async () => {
      const { page } = await stage.open(`${field()}<button>Next</button>`);
      await page.context().setOffline(true);
      await box(page).fill("bak");
      await expect.poll(() => message(page)).toContain("There is no internet connection.");
      await page.context().setOffline(false);
      await options(page).first().waitFor();
      expect(await message(page)).toBe("");
      // Who has gone on to another field has no list over it.
      await page.context().setOffline(true);
      await box(page).fill("bakk");
      await expect.poll(() => message(page)).toContain("There is no internet connection.");
      await page.getByRole("button", { name: "Next" }).focus();
      await page.context().setOffline(false);
      await expect.poll(() => message(page)).toBe("");
      expect(await ask(page, `node.shadowRoot.querySelector("[part=popup]").matches(":popover-open")`)).toBe(
        false,
      );
    },
  );
});

describe("no hits", () => {
  it("are told, and the way on", async () => {
    stage.answering = () => hits();
    const { page } = await stage.open(field());
    await box(page).fill("zzzz");
    await expect.poll(() => note(page)).toContain("Nothing found.");
    await expect.poll(() => status(page).innerText()).toContain("or the 8-digit KVK number");
    expect(await box(page).getAttribute("aria-expanded")).toBe("false");
  });
});
