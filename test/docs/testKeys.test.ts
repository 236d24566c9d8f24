import { expect, it } from "vitest";
import { testKeyTables } from "../../src/sandbox/guide.ts";

const LANGUAGES = ["en", "nl"] as const;

it("the docs page's tables of test keys are those of the code", async () => {
  const lines = LANGUAGES.flatMap((language) => [
    `  ${language}: {`,
    ...Object.entries(testKeyTables(language)).map(
      ([name, table]) => `    ${name}: \`\n${table.replaceAll("`", "\\`")}\n\`,`,
    ),
    "  },",
  ]);
  const file = [
    "/** Made of the table in `src/sandbox`: `npx vitest run test/docs/testKeys.test.ts -u` writes it anew. */",
    "export const testKeyTables = {",
    ...lines,
    "} as const;",
    "",
  ].join("\n");
  await expect(file).toMatchFileSnapshot("../../dashboard/src/docs/guides/testKeyTables.ts");
});
