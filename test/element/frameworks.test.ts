/** The element inside a shadow root and in React and Vue, with the examples of the package. */
import { join } from "node:path";
import { build, type Plugin } from "vite";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { compileScript, parse } from "vue/compiler-sfc";
import { ROOT, textOf } from "../architecture/repository.ts";
import { runProgram } from "../kit/program.ts";
import { variants } from "../kit/thorough.ts";
import { builtElement } from "./support/built.ts";
import {
  ask,
  box,
  field,
  hits,
  KEY,
  KORENAAR,
  openElementStage,
  options,
  type Reply,
  type Stage,
  status,
  THREE,
} from "./support/stage.ts";

const EXAMPLES = join(ROOT, "client/examples");

let stage: Stage;
beforeAll(async () => {
  stage = await openElementStage();
});
beforeEach(() => {
  stage.answering = ({ pathname }) =>
    pathname === "/v1/autocomplete"
      ? hits(...THREE)
      : { body: { ...KORENAAR, isActive: true, address: { street: "Molenpad" } } };
});

/** Compiles a Vue component to a module, like the Vue plugin. */
const vueFiles: Plugin = {
  name: "vue-files",
  transform(code, id) {
    if (!id.endsWith(".vue")) return undefined;
    const compilerOptions = { isCustomElement: (tag: string) => tag.startsWith("opzoek-") };
    const { descriptor } = parse(code, { filename: id, templateParseOptions: compilerOptions });
    return compileScript(descriptor, { id, inlineTemplate: true, templateOptions: { compilerOptions } })
      .content;
  },
};

/** Builds an example for this service. */
async function built(entry: string): Promise<string> {
  const folder = await builtElement();
  const environment = {
    "process.env.NODE_ENV": "production",
    "import.meta.env.VITE_OPZOEK_URL": stage.address,
    "import.meta.env.VITE_OPZOEK_KEY": KEY,
  };
  const result = await build({
    configFile: false,
    root: EXAMPLES,
    logLevel: "error",
    publicDir: false,
    plugins: [vueFiles],
    // A production build, regardless of the test environment.
    oxc: { jsx: { development: false } },
    resolve: { alias: { "@opzoek/client/element": join(folder, "element.js") } },
    define: Object.fromEntries(
      Object.entries(environment).map(([name, value]) => [name, JSON.stringify(value)]),
    ),
    build: { write: false, lib: { entry: join(EXAMPLES, entry), formats: ["es"], fileName: "example" } },
  });
  const [{ output } = { output: [] }] = result as { output: { type: string; code?: string }[] }[];
  return output.flatMap(({ code }) => code ?? []).join("\n");
}

describe.each(variants(["react/main.tsx", "vue/main.ts"], { ordinary: 1 }))("the example %s", (entry) => {
  it("chooses a company, receives the event, and has its fields filled", async () => {
    stage.scripts.set("/example.js", await built(entry));
    const { page, troubles } = await stage.open(`<div id="root"></div>`, {}, ["/example.js"]);
    await box(page).pressSequentially("bak");
    await options(page).first().click();
    await page.getByText("50000011 lives in Molenpad").waitFor();
    expect(await page.evaluate("new FormData(document.forms[0]).get('kvkNumber')")).toBe("50000011");
    await page.getByRole("button", { name: "Clear" }).click();
    await page.getByText("No company yet").waitFor();
    const another = page.getByRole("button", { name: "Another" });
    if (entry.startsWith("vue")) {
      await another.click();
      expect(await box(page).inputValue()).toBe("50000099");
    }
    expect(troubles).toEqual([]);
  });
});

it("the React example type-checks", async () => {
  const tsc = join(ROOT, "node_modules/typescript/bin/tsc");
  await runProgram(process.execPath, [tsc, "--noEmit", "--checkers", "1", "-p", join(EXAMPLES, "react")]);
});

it("the example of the README finds a company and fills the form", async () => {
  const [, example = ""] = /```html\n(.*?)<script/s.exec(textOf("client/README.md")) ?? [];
  const { page, troubles } = await stage.open(example.replace("http://127.0.0.1:8080", stage.address));
  await page.getByRole("combobox", { name: "Company" }).pressSequentially("bak");
  await options(page).first().click();
  await expect.poll(() => page.getByLabel("Street").inputValue()).toBe("Molenpad");
  expect(await page.evaluate("new URLSearchParams(new FormData(document.forms[0])).toString()")).toBe(
    "kvkNumber=50000011&company=Bakkerij+De+Gouden+Korenaar+B.V.&street=Molenpad&city=Fabelstad",
  );
  expect(troubles).toEqual([]);
});

describe("inside a shadow root", () => {
  it("works fully: names, list, form, filling, language and events", async () => {
    const { page, troubles } = await stage.open(
      `<section id="host" lang="nl"><template shadowrootmode="open"><form>${field("required lookup", "Uw bedrijf")}
<input aria-label="street" name="street" data-opzoek-fill="street"></form></template></section>`,
    );
    await page.evaluate(`{
      globalThis.reported = [];
      for (const type of ["opzoek-select", "opzoek-fill", "input"])
        document.addEventListener(type, ({ target }) => reported.push(type + " " + target.id));
    }`);
    const field_ = page.getByRole("combobox", { name: "Uw bedrijf" });
    await field_.pressSequentially("bak");
    await options(page).first().waitFor();
    await expect.poll(() => status(page).innerText()).toBe("Bedrijven gevonden: 3.");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await expect.poll(() => page.getByLabel("street").inputValue()).toBe("Molenpad");
    const form = `document.getElementById("host").shadowRoot.querySelector("form")`;
    expect(await page.evaluate(`new URLSearchParams(new FormData(${form})).toString()`)).toBe(
      "kvk=50000011&street=Molenpad",
    );
    expect(await page.evaluate("reported")).toEqual(
      expect.arrayContaining(["opzoek-select host", "opzoek-fill host", "input host"]),
    );
    expect(troubles).toEqual([]);
  });
});

describe("an element that is moved", () => {
  it("keeps its choice, closes its list, and applies properties set before its definition", async () => {
    const { page, troubles } = await stage.open(field());
    await box(page).pressSequentially("bak");
    await options(page).first().waitFor();
    await ask(page, "node.remove()");
    await page.evaluate(`{
      const late = document.createElement("opzoek-autocomplete");
      Object.defineProperty(late, "value", { value: "50000012", configurable: true, writable: true });
      late.setAttribute("aria-label", "Late");
      document.body.append(late);
    }`);
    expect(await box(page).inputValue()).toBe("50000012");
    expect(await ask(page, "node.value")).toBe("50000012");
    const never = Promise.withResolvers<Reply>();
    stage.answering = () => never.promise;
    await box(page).fill("b");
    await box(page).fill("ba");
    await expect.poll(() => stage.queries.at(-1)).toBe("ba");
    await page.evaluate(
      `document.querySelector("main").append(document.querySelector("opzoek-autocomplete"))`,
    );
    expect(await ask(page, `node.shadowRoot.querySelector("[part=spinner]").hidden`)).toBe(true);
    // A search cancelled by the move is repeated on demand.
    stage.answering = () => hits(...THREE);
    never.resolve(hits());
    await box(page).press("ArrowDown");
    await options(page).first().click();
    await page.evaluate(
      `document.querySelector("main").append(document.querySelector("opzoek-autocomplete"))`,
    );
    expect(await box(page).inputValue()).toBe(KORENAAR.name);
    expect(troubles).toEqual([]);
  });
});

it("loads without a DOM, defines nothing, and has the version of the package", async () => {
  const { OpzoekAutocompleteElement } = (await import(join(await builtElement(), "element.js"))) as {
    OpzoekAutocompleteElement: { readonly version: string };
  };
  expect(OpzoekAutocompleteElement).toBeTypeOf("function");
  const { version } = JSON.parse(textOf("client/package.json")) as { version: string };
  expect(OpzoekAutocompleteElement.version).toBe(version);
});
