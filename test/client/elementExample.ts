import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { textOf } from "../architecture/repository.ts";
import { sharedBrowser } from "../dashboard/support/visit.ts";
import { afterFile } from "../kit/afterFile.ts";
import { blocksOf, isOfPage, printedBy, README, SHOWN_ADDRESS } from "./readme.ts";
import { startSite } from "./site.ts";
import type { Stage } from "./stage.ts";

const [html = ""] = blocksOf(README, "html");
const [script = ""] = blocksOf(README, "js").filter(isOfPage);

/** The element's example: its page from the tarball, filled in by a person in a browser, against the demo. */
export function describeElementExample(stage: () => Stage): void {
  describe("the example of the element", () => {
    it("prints the documented values while a person types and chooses", async () => {
      const { installed, demo, key } = stage();
      const page = await (await sharedBrowser()).newPage();
      afterFile(() => page.close());
      const printed: string[] = [];
      page.on("console", (message) => {
        if (message.type() === "log") printed.push(message.text());
      });
      const site = await startSite(join(installed.folder, "node_modules/@opzoek/client/dist"), {
        "/": `<!doctype html><title>A form</title><link rel="icon" href="data:,">${html
          .replaceAll(SHOWN_ADDRESS, demo.address)
          .replace("opz_pub_…", key)}<script type="module" src="example.js"></script>`,
        "/example.js": script,
      });
      await page.goto(site);
      const expected = printedBy(script);
      const afterChoice = expected.findIndex((line) => line.startsWith("true 51234567"));
      await expect.poll(() => printed).toEqual(expected.slice(0, afterChoice));
      await page.getByRole("combobox").fill("gouden korenaar");
      await page.getByRole("option").first().click();
      await expect.poll(() => printed).toEqual(expected);
    });

    it("has every member of the element and every event", () => {
      const source = textOf("client/src/element/autocompleteElement.ts");
      const members = [...source.matchAll(/^ {2}(?:get |set )?(\w+)\(.*\{$/gm)]
        .map(([, name = ""]) => name)
        .filter((name) => name !== "constructor" && !name.endsWith("Callback"));
      expect(members).toEqual(expect.arrayContaining(["value", "company", "text", "clear"]));
      expect(members.filter((name) => !new RegExp(`\\b${name}\\b`).test(script))).toEqual([]);
      const events = [...textOf("client/src/element/index.ts").matchAll(/"(opzoek-[a-z]+)": CustomEvent/g)];
      expect(events.map(([, name = ""]) => name).filter((name) => !script.includes(`"${name}"`))).toEqual([]);
    });
  });
}
