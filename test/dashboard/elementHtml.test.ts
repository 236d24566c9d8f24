/** The HTML shown with a new browser key works unchanged on a page of another site. */
import { expect, it } from "vitest";
import { box, options } from "../element/support/stage.ts";
import { servingPort } from "../kit/server.ts";
import { variants } from "../kit/thorough.ts";
import { openStage, signUp, visit } from "./support/visit.ts";

it.each(variants([true, false], { ordinary: 1 }))(
  "the HTML of a browser key finds a company and fills the form on another site; lookups: %s",
  async (mayLookUp) => {
    const fixture = await openStage();
    let html = "";
    const port = await servingPort((_request, response) => {
      const policy = `default-src 'none'; script-src ${fixture.address}; connect-src ${fixture.address}; img-src data:`;
      response.setHeader("content-type", "text/html; charset=utf-8");
      response.setHeader("content-security-policy", policy);
      response.end(`<!doctype html><title>A shop</title><link rel="icon" href="data:,">${html}`);
    });
    const shop = `http://127.0.0.1:${port}`;
    const owner = await visit(fixture);
    const { page } = owner;
    await signUp(owner, "paste@fabel.example");
    await owner.go("keys");
    await page.getByRole("button", { name: "New key" }).click();
    await page.getByRole("radio", { name: "Browser: for a web page" }).click();
    await page.getByLabel("Name").fill("shop");
    await page.getByLabel("Websites that may use the key").fill(shop);
    await page.getByLabel("May also look up companies").setChecked(mayLookUp);
    // The HTML is complete before the list of keys has reloaded.
    const listed = Promise.withResolvers<void>();
    await page.route("**/account/keys?*", async (route) => {
      await listed.promise;
      await route.continue();
    });
    await page.getByRole("button", { name: "Create key" }).click();
    const shown = page.getByRole("region", { name: "HTML for your page" });
    await shown.getByText("opz_pub_").waitFor();
    expect((await shown.innerText()).includes(" lookup\n")).toBe(mayLookUp);
    listed.resolve();
    await page.locator('[data-testid="key-shop"]').waitFor({ state: "attached" });
    html = await shown.innerText();

    const buyer = await visit({ ...fixture, address: shop });
    await buyer.page.goto("/");
    await box(buyer.page).pressSequentially("fabelkorst");
    await options(buyer.page).first().click();
    await expect.poll(() => buyer.page.getByLabel("City").inputValue()).toBe("Verzinstad");
    if (mayLookUp)
      await expect.poll(() => buyer.page.getByLabel("Street").inputValue()).toBe("Sprookjeslaan");
    expect(await buyer.page.getByLabel("Street").count()).toBe(mayLookUp ? 1 : 0);
    expect([...owner.troubles, ...buyer.troubles]).toEqual([]);
  },
);
