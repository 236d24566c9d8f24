/** A pressed company is the one that is chosen, whatever arrives before the release. */
import type { CDPSession, Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { IS_FIREFOX } from "../dashboard/support/firefox.ts";
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
  type Reply,
  refusal,
  type Stage,
  THREE,
} from "./support/stage.ts";

let stage: Stage;
beforeAll(async () => {
  stage = await openElementStage();
});

/** Opens a page with an open list and a pending response, which `answer` sends and waits for. */
async function openAwaiting(): Promise<{ page: Page; answer: (reply: Reply) => Promise<void> }> {
  const late = Promise.withResolvers<Reply>();
  stage.answering = ({ searchParams }) => (searchParams.get("q") === "bak" ? late.promise : hits(...THREE));
  const { page } = await stage.open(field());
  await box(page).fill("ba");
  await options(page).nth(2).waitFor();
  await box(page).fill("bak");
  await expect.poll(() => stage.queries).toEqual(["ba", "bak"]);
  const answer = async (reply: Reply) => {
    const answered = page.waitForResponse((response) => response.url().includes("q=bak"));
    late.resolve(reply);
    await (await answered).finished();
    await page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");
  };
  return { page, answer };
}

const touch = (
  client: CDPSession,
  type: "touchStart" | "touchMove" | "touchEnd",
  at?: { x: number; y: number },
) => client.send("Input.dispatchTouchEvent", { type, touchPoints: at === undefined ? [] : [at] });

async function middleOfFirst(page: Page): Promise<{ x: number; y: number }> {
  const { x = 0, y = 0 } = (await options(page).first().boundingBox()) ?? {};
  return { x: x + 20, y: y + 10 };
}

describe("a response while a company is pressed", () => {
  it.each(
    variants(
      [
        ["another company", hits(KORENMOLEN)],
        ["none", hits()],
        ["a failure", refusal(502, "UPSTREAM_ERROR")],
      ],
      { ordinary: 1 },
    ),
  )("does not move the company away: %s", async (_name, reply) => {
    const { page, answer } = await openAwaiting();
    await options(page).first().hover();
    await page.mouse.down();
    await answer(reply);
    await page.mouse.up();
    expect(await ask(page, "node.value")).toBe(KORENAAR.kvkNumber);
    expect(await options(page).count()).toBe(0);
  });

  it.skipIf(IS_FIREFOX)("does not move the company away from a finger", async () => {
    const { page, answer } = await openAwaiting();
    const client = await page.context().newCDPSession(page);
    await touch(client, "touchStart", await middleOfFirst(page));
    await answer(hits(KORENMOLEN));
    await touch(client, "touchEnd");
    await expect.poll(() => ask(page, "node.value")).toBe(KORENAAR.kvkNumber);
  });

  it("is shown when the mouse leaves, which chooses nothing", async () => {
    const { page, answer } = await openAwaiting();
    await options(page).first().hover();
    await page.mouse.down();
    await answer(hits(KORENMOLEN));
    expect(await options(page).count()).toBe(3);
    await page.mouse.move(1, 1);
    await expect.poll(() => options(page).count()).toBe(1);
    await page.mouse.up();
    expect(await ask(page, "node.value")).toBe("");
  });

  it("is shown when the mouse is released on another company, which chooses neither", async () => {
    const { page, answer } = await openAwaiting();
    await options(page).first().hover();
    await page.mouse.down();
    await answer(hits(KORENMOLEN));
    await options(page).nth(2).hover();
    await page.mouse.up();
    await expect.poll(() => options(page).count()).toBe(1);
    expect(await ask(page, "node.value")).toBe("");
  });

  it.skipIf(IS_FIREFOX)("is shown when a finger scrolls, which chooses nothing", async () => {
    const { page, answer } = await openAwaiting();
    const client = await page.context().newCDPSession(page);
    const { x, y } = await middleOfFirst(page);
    await touch(client, "touchStart", { x, y });
    await answer(hits(KORENMOLEN));
    await touch(client, "touchMove", { x, y: y + 60 });
    await touch(client, "touchMove", { x, y: y + 90 });
    await expect.poll(() => options(page).count()).toBe(1);
    await touch(client, "touchEnd");
    expect(await ask(page, "node.value")).toBe("");
  });

  it("is shown after further typing, and a disabled field chooses nothing", async () => {
    const { page, answer } = await openAwaiting();
    await options(page).first().hover();
    await page.mouse.down();
    await answer(hits(KORENAAR, KORENMOLEN));
    stage.answering = () => hits(KORENMOLEN);
    await page.keyboard.type("k");
    await expect.poll(() => options(page).count()).toBe(1);
    await page.mouse.up();
    await box(page).focus();
    await box(page).press("Escape");
    await box(page).press("ArrowDown");
    await options(page).first().hover();
    await page.mouse.down();
    await ask(page, `node.setAttribute("disabled", "")`);
    await page.mouse.up();
    expect([await options(page).count(), await ask(page, "node.value")]).toEqual([0, ""]);
  });
});
