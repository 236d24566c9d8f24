/** Late, invalid, slow and refused responses, hostile names, and the number of calls. */
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

/** Whether the list is busy. */
const isBusy = (page: Page) => ask<string>(page, `node.shadowRoot.getElementById("list").ariaBusy`);

describe("typing", () => {
  it("makes one call after a pause, in a session that ends with a choice", async () => {
    const { page } = await stage.open(field(`debounce="300"`));
    await page.clock.install();
    await page.clock.pauseAt(Date.now() + 60_000);
    await box(page).pressSequentially("bak");
    await page.clock.runFor(299);
    expect(stage.queries).toEqual([]);
    await page.clock.runFor(1);
    await expect.poll(() => stage.queries).toEqual(["bak"]);
    const [first] = stage.requests;
    expect(first?.searchParams.get("session")).toMatch(/^[A-Za-z0-9_-]{16,64}$/);
    expect(first?.searchParams.get("apikey")).toBe(KEY);
    await options(page).first().waitFor();
    await page.keyboard.type("k");
    await page.clock.runFor(300);
    await expect.poll(() => stage.queries).toEqual(["bak", "bakk"]);
    // Responses are cached within the session.
    await page.keyboard.press("Backspace");
    await options(page).first().click();
    await box(page).fill("kor");
    await page.clock.runFor(300);
    await expect.poll(() => stage.queries).toEqual(["bak", "bakk", "kor"]);
    const sessions = stage.requests.map(({ searchParams }) => searchParams.get("session"));
    expect(sessions[1]).toBe(sessions[0]);
    expect(sessions[2]).not.toBe(sessions[0]);
  });

  it("makes no call for short texts, and sends keys other than browser keys in a header", async () => {
    const { page } = await stage.open(field(`min-length="4"`).replace("opz_pub_", "opz_test_"));
    await box(page).pressSequentially("bak");
    await page.keyboard.type("k");
    await options(page).first().waitFor();
    expect(stage.queries).toEqual(["bakk"]);
    expect(stage.requests[0]?.searchParams.has("apikey")).toBe(false);
  });

  it("never replaces a newer response by a late one", async () => {
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

describe("a live key", () => {
  it("is named in the console as a danger, without the key, and a key for browsers is not", async () => {
    const { page, troubles } = await stage.open(field());
    await box(page).waitFor();
    expect(troubles).toEqual([]);
    const live = await stage.open(field().replace("opz_pub_", "opz_live_"));
    await box(live.page).waitFor();
    expect(live.troubles).toEqual([expect.stringContaining("live key")]);
    expect(live.troubles[0]).not.toContain("0000");
  });
});

describe("a hit", () => {
  it("is shown as text, whatever the company's name", async () => {
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

  it("says that a company has ended, in the language of the page", async () => {
    stage.answering = () => ({ body: { results: [{ ...KORENAAR, isActive: false }, KORENMOLEN] } });
    const { page } = await stage.open(`<div lang="nl">${field()}</div>`);
    await box(page).pressSequentially("koren");
    await options(page).first().waitFor();
    const [ended, active] = await options(page).allInnerTexts();
    expect(ended).toMatch(/50000011\s+uitgeschreven$/);
    expect(active).not.toContain("uitgeschreven");
  });

  it.each([
    ["9876543", "lost_zero", "A KVK number has 8 digits. Is the zero at the start missing?"],
    ["NL91 ABNA 0417 1643 00", "iban", "This looks like another kind of number or address."],
  ])("is not found for %s, with the service's hint %s in words", async (typed, code, words) => {
    stage.answering = () => ({ body: { results: [], hint: { code, message: "…" } } });
    const { page } = await stage.open(field());
    await box(page).fill(typed);
    await expect.poll(() => note(page)).toContain(words);
  });

  it("shows the typed part in bold, the matching trading name, and a hint at a misspelling", async () => {
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

describe("a failure", () => {
  it.each(variants(FAILURES, { ordinary: 3 }))(
    "of %s is explained, reported by an event, and does not block the form",
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

  it("of a refused or exhausted key is not retried with every letter", async () => {
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
    // A new key allows a retry.
    stage.answering = () => hits(KORENAAR);
    await page.evaluate(`document.querySelector("opzoek-autocomplete").setAttribute("key", "${KEY}1")`);
    await box(page).fill("bak");
    await page.clock.runFor(10);
    await options(page).first().waitFor();
    expect(await message(page)).toBe("");
  });

  it("of the rate limit waits as long as requested, says so, and retries automatically", async () => {
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
  )("with 503 and a Retry-After %s is retried then, and not before by further letters", async (_, reply) => {
    stage.answering = () => reply;
    const { page } = await stage.open(`<form>${field("required")}</form>`);
    await page.evaluate(`{
      globalThis.reported = [];
      document.addEventListener("opzoek-error", ({ detail }) => reported.push([detail.code, detail.status, detail.retryAfterSeconds]));
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
    // Still busy: waits again as long as requested.
    await page.clock.runFor(200);
    await expect.poll(() => stage.queries).toEqual(["bak", "kor"]);
    await expect
      .poll(() => page.evaluate("reported"))
      .toEqual(Array(2).fill(["SERVICE_UNAVAILABLE", 503, 20]));
    stage.answering = () => hits(KORENMOLEN);
    await page.clock.runFor(20_100);
    await options(page).first().waitFor();
    expect(stage.queries).toEqual(["bak", "kor", "kor"]);
    expect(await message(page)).toBe("");
  });

  it("to respond shows a notice after one second and an error after eight", async () => {
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

  it.skipIf(IS_FIREFOX)("of the network is reported as such, and retried when it is back", async () => {
    const { page } = await stage.open(`${field()}<button>Next</button>`);
    await page.context().setOffline(true);
    await box(page).fill("bak");
    await expect.poll(() => message(page)).toContain("There is no internet connection.");
    await page.context().setOffline(false);
    await options(page).first().waitFor();
    expect(await message(page)).toBe("");
    // Another focused field must not be covered by the list.
    await page.context().setOffline(true);
    await box(page).fill("bakk");
    await expect.poll(() => message(page)).toContain("There is no internet connection.");
    await page.getByRole("button", { name: "Next" }).focus();
    await page.context().setOffline(false);
    await expect.poll(() => message(page)).toBe("");
    expect(await ask(page, `node.shadowRoot.querySelector("[part=popup]").matches(":popover-open")`)).toBe(
      false,
    );
  });
});

describe("a search without hits", () => {
  it("says so, and suggests what to do", async () => {
    stage.answering = () => hits();
    const { page } = await stage.open(field());
    await box(page).fill("zzzz");
    await expect.poll(() => note(page)).toContain("Nothing found.");
    await expect.poll(() => status(page).innerText()).toContain("or the 8-digit KVK number");
    expect(await box(page).getAttribute("aria-expanded")).toBe("false");
  });
});
