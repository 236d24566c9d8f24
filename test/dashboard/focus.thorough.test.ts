/** The focus stays in place when its element is removed or busy, for users of keyboards and screen readers. */
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { BAKERY } from "../kit/companies.ts";
import { Device } from "../kit/device.ts";
import { opzoek } from "../kit/opzoek.ts";
import { button, focused, gone, inDialog, makeKey, press } from "./support/focus.ts";
import {
  accountIdOf,
  openStage,
  PASSWORD,
  type StoreFixture,
  signUp,
  type Visit,
  visit,
} from "./support/visit.ts";

const MEMBER = "member@fabel.example";
const PHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0) Version/18.0 Mobile/15E148 Safari/604.1";
const WRONG = "vier losse woorden samen";
let fixture: StoreFixture;
let member: Visit;
let operator: Visit;
beforeAll(async () => {
  fixture = await openStage();
  [member, operator] = [await visit(fixture), await visit(fixture)];
  await signUp(member, MEMBER);
  await signUp(operator, "boss@fabel.example");
  const made = await opzoek(["account", "admin", await accountIdOf(operator)], fixture.world.environment);
  expect(made.code).toBe(0);
  await operator.page.reload();
});

async function turnTwoFactorOn(page: Page): Promise<Device> {
  await press(page, "Turn on");
  await page.getByLabel("Confirm with your password", { exact: true }).fill(PASSWORD);
  await press(page, "Continue");
  const device = new Device((await page.locator("pre.code").innerText()).replaceAll(" ", ""));
  await page.getByLabel("Six-digit code").fill(device.code(Date.now()));
  await inDialog(page, "Turn on").press("Enter");
  await press(page, "I’ve saved them");
  return device;
}

async function finishList(page: Page): Promise<void> {
  await page.locator("textarea").fill(BAKERY);
  await press(page, "Read list");
  await expect.poll(() => focused(page)).toBe("Pasted list");
  await press(page, "Complete list");
  await page.getByText("The list is done.").waitFor();
}

type Row = readonly [what: string, screen: string, act: (page: Page) => Promise<void>, then: string | RegExp];

const OF_MEMBERS: readonly Row[] = [
  ["creating a key", "keys", (page) => makeKey(page, "one"), "New key"],
  [
    "revoking a key",
    "keys",
    async (page) => {
      await makeKey(page, "two");
      await press(page, "Revoke: two");
      await press(page, "Revoke key");
      await button(page, "Revoke: two").waitFor({ state: "detached" });
    },
    "Your keys",
  ],
  [
    "cancelling the change of a key",
    "keys",
    async (page) => {
      await press(page, "Edit: first key");
      await press(page, "Cancel");
      await gone(page);
    },
    "Edit: first key",
  ],
  [
    "copying a new key",
    "keys",
    async (page) => {
      await press(page, "New key");
      await page.getByLabel("Name").fill("three");
      await press(page, "Create key");
      await press(page, "Copy");
      await button(page, "Copy").waitFor({ state: "detached" });
    },
    // Not every browser lets a page write to the clipboard.
    /^Copied$|^Select the text/,
  ],
  [
    "signing another device out",
    "settings",
    async (page) => {
      const headers = { origin: fixture.address, "content-type": "application/json", "user-agent": PHONE };
      const body = JSON.stringify({ email: MEMBER, password: PASSWORD });
      await fetch(`${fixture.address}/account/sign-in`, { method: "POST", headers, body });
      await page.reload();
      await press(page, "Sign out: Safari, iPhone");
      await button(page, "Sign out: Safari, iPhone").waitFor({ state: "detached" });
    },
    "Signed-in devices",
  ],
  [
    "changing the password, refused",
    "settings",
    async (page) => {
      await page.getByLabel("Current password", { exact: true }).fill(WRONG);
      await page.getByLabel("New password", { exact: true }).fill(WRONG);
      await press(page, "Change password");
      await page.getByText("This is not your current password").waitFor();
    },
    "Change password",
  ],
  [
    "requesting another address",
    "settings",
    async (page) => {
      await page.route("**/account/email", (route) => route.fulfill({ status: 204 }));
      await page.route("**/account/session", async (route) => {
        const response = await route.fetch();
        await route.fulfill({ response, json: { ...(await response.json()), hasMail: true } });
      });
      await page.reload();
      await page.getByLabel("New email address").fill("other@fabel.example");
      await page.getByLabel("Confirm with your password", { exact: true }).fill(PASSWORD);
      await press(page, "Send a link");
      await page.getByText("We sent an email to other@fabel.example.").waitFor();
      await page.unrouteAll();
    },
    "Send a link",
  ],
  [
    "turning two-factor sign-in on and off",
    "settings",
    async (page) => {
      const device = await turnTwoFactorOn(page);
      await expect.poll(() => focused(page)).toBe("Two-factor sign-in");
      await press(page, "Turn off");
      await page.getByLabel("Confirm with your password", { exact: true }).fill(PASSWORD);
      await page.getByLabel("Six-digit code").fill(device.code(Date.now(), 1));
      await inDialog(page, "Turn off").press("Enter");
      await gone(page);
    },
    "Two-factor sign-in",
  ],
  [
    "requesting a plan and withdrawing the request",
    "plan",
    async (page) => {
      await press(page, "Request this plan: Pro");
      await button(page, "Withdraw request").waitFor();
      await expect.poll(() => focused(page)).toBe("Plans");
      await press(page, "Withdraw request");
      await button(page, "Withdraw request").waitFor({ state: "detached" });
    },
    "Plans",
  ],
  [
    "retrying a failed load",
    "calls",
    async (page) => {
      await page.route("**/account/calls?*", (route) => route.fulfill({ status: 500, body: "" }));
      await press(page, "Refresh");
      await button(page, "Try again").waitFor();
      await page.unrouteAll();
      await press(page, "Try again");
      await button(page, "Try again").waitFor({ state: "detached" });
    },
    "Recent calls",
  ],
  [
    "reading a long list",
    "try/list",
    async (page) => {
      await button(page, "Choose file").focus();
      const buffer = Buffer.from(`${BAKERY}\n`.repeat(40_000));
      await page
        .locator("input[type=file]")
        .setInputFiles({ name: "long.csv", mimeType: "text/csv", buffer });
      await expect.poll(() => focused(page)).toBe("long.csv");
      await press(page, "Choose another list");
      await page.locator("textarea").waitFor();
    },
    "Complete a list",
  ],
  [
    "deleting a list",
    "try/list",
    async (page) => {
      await finishList(page);
      await press(page, "Remove list");
      await press(page, "Remove");
      await page.locator("textarea").waitFor();
    },
    "Complete a list",
  ],
  [
    "staying signed in",
    "try/list",
    async (page) => {
      await finishList(page);
      await press(page, "Sign out");
      await press(page, "Stay signed in");
      await gone(page);
    },
    "Sign out",
  ],
];

const OF_OPERATORS: readonly Row[] = [
  [
    "suspending and resuming an account",
    "operator/accounts",
    async (page) => {
      await press(page, `Suspend: ${MEMBER}`);
      await inDialog(page, "Suspend").press("Enter");
      await button(page, `Resume: ${MEMBER}`).waitFor();
      await expect.poll(() => focused(page)).not.toBe("nothing");
      await press(page, `Resume: ${MEMBER}`);
      await button(page, `Suspend: ${MEMBER}`).waitFor();
    },
    `Suspend: ${MEMBER}`,
  ],
  [
    "undoing a change of plan",
    "operator/accounts",
    async (page) => {
      await page.getByRole("combobox", { name: `Plan of ${MEMBER}` }).selectOption("starter");
      await press(page, "Give Starter");
      await press(page, /^Undo/);
      await button(page, /^Undo/).waitFor({ state: "detached" });
    },
    "Accounts",
  ],
  [
    "granting a requested plan",
    "operator/requests",
    async (page) => {
      await member.go("plan");
      await press(member.page, "Request this plan: Pro");
      await button(member.page, "Withdraw request").waitFor();
      await page.reload();
      await press(page, `Give Pro: ${MEMBER}`);
      await page.getByText("No pending requests.").waitFor();
    },
    "Requests",
  ],
  [
    "closing a password link",
    "operator/account",
    async (page) => {
      await press(page, "Create password link");
      await page.getByLabel("Your own password", { exact: true }).fill(PASSWORD);
      await press(page, "Create link");
      await press(page, "I’ve saved it");
      await gone(page);
    },
    "Create password link",
  ],
  [
    "saving a note and undoing it",
    "operator/account",
    async (page) => {
      await page.getByLabel("Text").fill("Pays late.");
      await press(page, "Save");
      await button(page, /^Undo/).waitFor();
      await expect.poll(() => focused(page)).toBe("Note");
      await press(page, /^Undo/);
      await button(page, /^Undo/).waitFor({ state: "detached" });
    },
    "Note",
  ],
  [
    "signing an account out everywhere",
    "operator/account",
    async (page) => {
      await press(page, "Sign out everywhere");
      await inDialog(page, "Sign out everywhere").press("Enter");
      await page.getByText("Not signed in anywhere.").waitFor();
    },
    "Signed-in devices",
  ],
];

describe.each([
  ["a member", OF_MEMBERS, () => member],
  ["an operator", OF_OPERATORS, () => operator],
] as const)("the focus of %s stays in place after", (_who, rows, visitorOf) => {
  it.each(rows)("%s", async (_what, screen, act, then) => {
    const { page, go } = visitorOf();
    await page.goto("about:blank");
    const id = screen === "operator/account" ? `/${await accountIdOf(member)}` : "";
    await go(screen + id);
    await act(page);
    await expect
      .poll(() => focused(page))
      .toEqual(typeof then === "string" ? then : expect.stringMatching(then));
  });
});
