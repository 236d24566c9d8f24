/** The element in a form: submitted data, validity, reset, restoring, and filling other fields. */
import type { Page } from "playwright-core";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Company } from "../../src/contract/resources.ts";
import { thoroughIt } from "../kit/thorough.ts";
import {
  ask,
  box,
  field,
  hits,
  KORENAAR,
  KORENMOLEN,
  openElementStage,
  options,
  refusal,
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

const COMPANY: Company = {
  kvkNumber: KORENAAR.kvkNumber,
  name: KORENAAR.name,
  isActive: true,
  address: {
    street: "Molenpad",
    houseNumber: "17M",
    postalCode: "1234 AB",
    city: "Fabelstad",
    country: "NL",
  },
};

/** Returns the data that the form would submit, as text. */
const sent = (page: Page) =>
  page.evaluate<string>("new URLSearchParams(new FormData(document.forms[0])).toString()");
const isValid = (page: Page) => page.evaluate<boolean>("document.forms[0].checkValidity()");
const fieldValue = (page: Page, name: string) =>
  page.evaluate<string>(`document.forms[0].elements[${JSON.stringify(name)}].value`);

async function choose(page: Page, index = 0): Promise<void> {
  await box(page).fill("");
  await box(page).pressSequentially("bak");
  await options(page).nth(index).click();
}

describe("in a form", () => {
  it("submits the KVK number of the choice, and the text under its own name", async () => {
    const { page, troubles } = await stage.open(`<form>${field(`text-name="company"`)}</form>`);
    expect(await sent(page)).toBe("kvk=&company=");
    await choose(page);
    expect(await sent(page)).toBe("kvk=50000011&company=Bakkerij+De+Gouden+Korenaar+B.V.");
    await page.keyboard.press("Backspace");
    expect(await sent(page)).toBe("kvk=&company=Bakkerij+De+Gouden+Korenaar+B.V");
    await box(page).fill("50000099");
    expect(await sent(page)).toBe("kvk=50000099&company=50000099");
    await page.getByRole("button", { name: "Clear" }).click();
    expect(await sent(page)).toBe("kvk=&company=");
    expect(troubles).toEqual([]);
  });

  it("is valid with a company or a complete number, and otherwise explains the error", async () => {
    const { page } = await stage.open(`<form>${field("required")}<button>Send</button></form>`);
    const message = () => ask<string>(page, "node.validationMessage");
    expect(await isValid(page)).toBe(false);
    expect(await ask(page, "node.validity.valueMissing")).toBe(true);
    expect(await message()).toBe("Choose a company from the list or type its 8-digit KVK number.");
    await page.getByRole("button", { name: "Send" }).click();
    expect(await ask(page, "node.shadowRoot.activeElement?.id")).toBe("input");
    expect(await box(page).getAttribute("aria-invalid")).toBe("true");
    await page.getByText("Choose a company from the list or type its 8-digit KVK number.").waitFor();
    await box(page).pressSequentially("bak");
    await options(page).first().waitFor();
    expect(await message()).toMatch(/^Choose a company from the list/);
    await choose(page);
    expect(await isValid(page)).toBe(true);
    expect(await box(page).getAttribute("aria-invalid")).toBe("false");
    await box(page).fill("01234567");
    expect([await isValid(page), await ask(page, "node.value")]).toEqual([true, "01234567"]);
    await box(page).fill("0123456");
    expect(await isValid(page)).toBe(false);
    await page.evaluate(`document.querySelector("opzoek-autocomplete").setCustomValidity("Not this one.")`);
    expect(await message()).toBe("Not this one.");
  });

  it("accepts any text without `required` and `strict`, and only a choice with `strict`", async () => {
    const { page } = await stage.open(`<form>${field()}</form>`);
    await box(page).pressSequentially("bak");
    expect(await isValid(page)).toBe(true);
    await page.evaluate(`document.querySelector("opzoek-autocomplete").toggleAttribute("strict")`);
    expect([await isValid(page), await ask(page, "node.validity.badInput")]).toEqual([false, true]);
    await box(page).fill("");
    expect(await isValid(page)).toBe(true);
  });

  it("does not block the form during an outage", async () => {
    stage.answering = () => refusal(502, "UPSTREAM_ERROR");
    const { page } = await stage.open(`<form>${field(`required strict text-name="company"`)}</form>`);
    await box(page).pressSequentially("Bakkerij");
    await page.getByText("Type the name or KVK number yourself and continue.").first().waitFor();
    expect(await isValid(page)).toBe(true);
    expect(await sent(page)).toBe("kvk=&company=Bakkerij");
  });

  thoroughIt("returns to its initial value on reset, and restores a page's earlier value", async () => {
    const { page } = await stage.open(
      `<form>${field(`value="50000012"`)}<button type="reset">Undo</button></form>`,
    );
    expect(await sent(page)).toBe("kvk=50000012");
    await choose(page);
    expect(await sent(page)).toBe("kvk=50000011");
    await page.getByRole("button", { name: "Undo" }).click();
    expect([await sent(page), await box(page).inputValue()]).toEqual(["kvk=50000012", "50000012"]);
    await choose(page);
    await page.goto("about:blank");
    await page.evaluate("setTimeout(() => history.back())");
    await expect.poll(() => sent(page)).toBe("kvk=50000011");
    expect(await box(page).inputValue()).toBe(KORENAAR.name);
  });

  thoroughIt("restores typed text from the browser, and no company from a page", async () => {
    const { page, troubles } = await stage.open(`<form>${field(`text-name="company"`)}</form>`);
    await page.evaluate(`document.addEventListener("opzoek-clear", () => { document.title = "cleared"; })`);
    await box(page).fill("Fabelwinkel");
    await page.goto("about:blank");
    await page.evaluate("setTimeout(() => history.back())");
    await expect.poll(() => sent(page)).toBe("kvk=&company=Fabelwinkel");
    await ask(page, "node.company = null");
    expect(await sent(page)).toBe("kvk=&company=");
    await box(page).fill("bak");
    await options(page).first().waitFor();
    expect([await ask(page, "node.company"), await page.title()]).toEqual([undefined, "A form"]);
    expect(troubles).toEqual([]);
  });

  it("is disabled with its fieldset, and focused by its label", async () => {
    const { page } = await stage.open(
      `<form><fieldset disabled>${field("required", "Your company")}</fieldset></form>`,
    );
    expect(await box(page).isDisabled()).toBe(true);
    expect([await sent(page), await isValid(page)]).toEqual(["", true]);
    await page.evaluate(`document.querySelector("fieldset").disabled = false`);
    await page.getByText("Your company").click();
    expect(await ask(page, "node.shadowRoot.activeElement?.id")).toBe("input");
    expect(await page.getByRole("combobox", { name: "Your company" }).count()).toBe(1);
  });

  it("submits the form with Enter, like any field, through its submit button", async () => {
    const { page } = await stage.open(
      `<form>${field()}<button type="button">No</button><button name="by" value="button">Send</button></form>`,
    );
    await page.evaluate(`document.forms[0].addEventListener("submit", (event) => {
      event.preventDefault();
      document.title = event.submitter?.value ?? "none";
    })`);
    await box(page).fill("50000099");
    await page.keyboard.press("Enter");
    expect(await page.title()).toBe("button");
  });

  it("reports to the page with events that cross shadow roots", async () => {
    const { page } = await stage.open(`<form>${field()}</form>`);
    await page.evaluate(`{
      globalThis.reported = [];
      for (const type of ["input", "change", "opzoek-select", "opzoek-clear", "opzoek-error", "opzoek-fill"])
        document.addEventListener(type, ({ target, detail }) => reported.push([type, target.value, detail?.kvkNumber].join(" ").trim()));
    }`);
    await choose(page);
    await page.getByRole("button", { name: "Clear" }).click();
    const reported = await page.evaluate<string[]>("reported");
    expect(reported.slice(-7)).toEqual([
      "input 50000011",
      "change 50000011",
      "opzoek-select 50000011 50000011",
      "opzoek-fill 50000011",
      "opzoek-clear  50000011",
      "input",
      "change",
    ]);
  });
});

const FIELDS = ["name", "kvkNumber", "street", "houseNumber", "postalCode", "city", "addressLine"]
  .map((name) => `<input aria-label="${name}" name="${name}" data-opzoek-fill="${name}">`)
  .join("");
const COUNTRY = `<select aria-label="country" name="country" data-opzoek-fill="country"><option value="">-<option value="NL">NL</select>`;

describe("filling the form", () => {
  it("writes the data of a lookup into its own form, as if typed", async () => {
    const gate = Promise.withResolvers<void>();
    stage.answering = async ({ pathname }) => {
      if (pathname === "/v1/autocomplete") return hits(...THREE);
      await gate.promise;
      return { body: COMPANY };
    };
    const { page } = await stage.open(
      `<form>${field("lookup")}${FIELDS}${COUNTRY}</form><form><input aria-label="other" name="city" data-opzoek-fill="city"></form>`,
    );
    await page.evaluate(`{
      globalThis.typed = [];
      document.forms[0].addEventListener("input", ({ target }) => typed.push(target.name));
    }`);
    await choose(page);
    expect([await fieldValue(page, "name"), await fieldValue(page, "city")]).toEqual([
      KORENAAR.name,
      "Fabelstad",
    ]);
    await page.getByLabel("houseNumber").fill("99");
    gate.resolve();
    await expect.poll(() => fieldValue(page, "street")).toBe("Molenpad");
    expect(await fieldValue(page, "houseNumber")).toBe("99");
    expect(await fieldValue(page, "postalCode")).toBe("1234 AB");
    expect(await fieldValue(page, "addressLine")).toBe("Molenpad 17M");
    expect(await fieldValue(page, "country")).toBe("NL");
    expect(await page.getByLabel("other").inputValue()).toBe("");
    expect(await page.evaluate("typed")).toContain("street");
    expect(stage.requests.at(-1)?.pathname).toBe("/v1/lookup/50000011");
  });

  thoroughIt("writes nothing of a company that the page has replaced", async () => {
    const gate = Promise.withResolvers<void>();
    stage.answering = async ({ pathname }) => {
      if (pathname === "/v1/autocomplete") return hits(...THREE);
      await gate.promise;
      return { body: COMPANY };
    };
    const { page } = await stage.open(`<form>${field("lookup")}${FIELDS}</form>`);
    await choose(page);
    await expect.poll(() => stage.requests.at(-1)?.pathname).toBe("/v1/lookup/50000011");
    await page.evaluate("document.forms[0].reset()");
    const answered = page.waitForResponse((response) => response.url().includes("/v1/lookup/"));
    gate.resolve();
    await (await answered).finished();
    await page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");
    expect(await fieldValue(page, "street")).toBe("");
    // The page takes the reported company, and empties the field for the next one.
    await page.evaluate(`document.addEventListener("opzoek-select", ({ target }) => target.clear())`);
    await choose(page);
    expect([await fieldValue(page, "name"), await ask(page, "node.value")]).toEqual(["", ""]);
    expect(stage.requests.filter(({ pathname }) => pathname.includes("lookup")).length).toBe(1);
  });

  it("fills name and city from the hit if the key may not look up, and empties fields of an earlier company", async () => {
    let isAllowed = true;
    stage.answering = ({ pathname }) => {
      if (pathname === "/v1/autocomplete") return hits(...THREE);
      return isAllowed ? { body: COMPANY } : refusal(403, "FORBIDDEN");
    };
    const { page } = await stage.open(`<form>${field("lookup")}${FIELDS}${COUNTRY}</form>`);
    await page.evaluate(`{
      globalThis.reported = [];
      for (const type of ["opzoek-fill", "opzoek-error"])
        document.addEventListener(type, ({ detail }) => reported.push(detail.fields?.join(" ") ?? detail.code));
    }`);
    await choose(page);
    await expect.poll(() => fieldValue(page, "street")).toBe("Molenpad");
    isAllowed = false;
    await page.getByLabel("postalCode").fill("9999 ZZ");
    await choose(page, 1);
    await expect.poll(() => page.evaluate<string[]>("reported")).toHaveLength(2);
    expect([await fieldValue(page, "name"), await fieldValue(page, "city")]).toEqual([
      KORENMOLEN.name,
      "Sprookveen",
    ]);
    expect([await fieldValue(page, "street"), await fieldValue(page, "postalCode")]).toEqual(["", "9999 ZZ"]);
    expect((await page.evaluate<string[]>("reported"))[1]).toBe("name kvkNumber city");
  });
});
