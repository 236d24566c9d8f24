import type { Page } from "playwright-core";
import type { Screen } from "./screens.ts";

/** KVK numbers, and names that the fictional registry has once, twice, or not at all. */
const LIST = [
  "Debiteur;Bedrijfsnaam;KvK;Straat;Huisnummer;Postcode;Plaats;Saldo",
  "D-1001;Umbrilelux Houdstermaatschapij BV;;Amstelplantsoen;153;1094 RC;Amsterdam;1.250,00",
  "D-1002;J. de Ruiter;;;;;;340,50",
  "D-1003;Sikkema Tekst;;;;;;87,20",
  "D-1004;Machinefabriek Kuijpers van Beek;50029889;Margrietpad;84;3438GG;Nieuwegein;12.900,00",
  "D-1005;Sterrenwacht Onvindbaar;;Melkweg;1;;Leiden;55,00",
  "D-1006;Bruins Food B.V.;;;;;;2.410,00",
  "D-1007;RIK HENDRIKS SIERADEN;50056901;Jupiterdijk;183;;Eindhoven;19,95",
  "D-1008;;;;;;;0,00",
  "D-1009;J. de Weerd;;;;;;610,00",
].join("\r\n");

/** The steps of a list with numbers and names, in the language of the browser. */
export const LIST_SCREENS: readonly Screen[] = [
  {
    name: "list-plan",
    open: async (page) => {
      await page.goto("/#/try/list");
      const buffer = Buffer.from(LIST);
      const file = { name: "debiteuren.csv", mimeType: "text/csv", buffer };
      await page.locator("input[type=file]").setInputFiles(file);
      await page.getByTestId("price").waitFor();
    },
  },
  {
    name: "list-preview",
    open: async (page) => {
      await page.getByTestId("plan").getByRole("button").first().click();
      await page.getByTestId("preview-row").first().waitFor();
    },
  },
  {
    name: "list-run",
    open: async (page) => {
      await page.getByTestId("start").click();
      await page.locator("[data-testid=run][data-phase=done]").waitFor();
    },
  },
  {
    name: "list-settle",
    open: async (page) => {
      await settleButton(page).click();
      await page.getByTestId("settle").waitFor();
      await page.keyboard.press("j");
    },
  },
];

/** Removes the list, so that the next pictures can begin with none. */
export async function removeList(page: Page): Promise<void> {
  await page.getByTestId("settle").getByRole("button").last().click();
  await page
    .getByTestId("run")
    .getByRole("button", { name: /^(Remove list|Lijst verwijderen)$/ })
    .click();
  await page.getByRole("dialog").getByRole("button").last().click();
  await page.locator("input[type=file]").waitFor({ state: "attached" });
}

const settleButton = (page: Page) =>
  page
    .getByTestId("run")
    .getByRole("button", { name: /^Check|beoordelen$/ })
    .first();
