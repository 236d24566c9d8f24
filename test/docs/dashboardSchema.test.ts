/** The dashboard checked against Grafana's own types, since Grafana itself is not available as a package. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ROOT, textOf } from "../architecture/repository.ts";
import { startProgram } from "../kit/program.ts";
import { temporaryFolder } from "../kit/world.ts";

const TYPES = join(ROOT, "node_modules/@grafana/schema/dist/types");
const panelTypes = (kind: string) => join(TYPES, `raw/composable/${kind}/panelcfg/x/types.gen.d.ts`);

interface Panel {
  readonly type: string;
  readonly options?: object;
  readonly fieldConfig?: { readonly defaults: { readonly custom?: object } };
}

interface Dashboard {
  readonly panels: readonly Panel[];
}

const dashboard = JSON.parse(textOf("deploy/monitoring/dashboard.json")) as Dashboard;

/** Grafana's types with JSON values: enumeration values instead of their names. */
const HEAD = `
  import type * as grafana from "${TYPES}/index.d.ts";
  import type * as stat from "${panelTypes("stat")}";
  import type * as timeseries from "${panelTypes("timeseries")}";
  type Plain<T> = T extends string ? \`\${T}\` : T extends (infer One)[] ? Plain<One>[] : T extends object ? { [K in keyof T]: Plain<T[K]> } : T;
`;

/** A source file that checks a dashboard against the types: as literals, so that unknown fields are errors too. */
function fileOf({ panels, ...rest }: Dashboard): string {
  const literals: [type: string, value: unknown][] = [[`Omit<grafana.Dashboard, "panels">`, rest]];
  for (const { options, fieldConfig, ...panel } of panels) {
    if (panel.type === "row") {
      literals.push(["grafana.RowPanel", panel]);
      continue;
    }
    const { custom, ...defaults } = fieldConfig?.defaults ?? {};
    literals.push(["grafana.Panel", { ...panel, fieldConfig: { ...fieldConfig, defaults } }]);
    literals.push([`${panel.type}.Options`, options]);
    if (custom !== undefined) literals.push([`${panel.type}.FieldConfig`, custom]);
  }
  return (
    HEAD +
    literals
      .map(([type, value], nth) => `export const part${nth}: Plain<${type}> = ${JSON.stringify(value)};\n`)
      .join("")
  );
}

/** The compiler's errors. */
async function wrongIn(one: Dashboard): Promise<string> {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "dashboard.ts"), fileOf(one));
  const compilerOptions = {
    ...{ strict: true, noEmit: true, skipLibCheck: true, allowImportingTsExtensions: true, types: [] },
    ...{ module: "preserve", target: "esnext" },
  };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["dashboard.ts"] }));
  const words = [join(ROOT, "node_modules/typescript/bin/tsc"), "--project", folder];
  return (await startProgram(process.execPath, words).ended).out;
}

it("the dashboard matches Grafana's own types, and so does each panel", async () => {
  expect(await wrongIn(dashboard)).toBe("");
});

it("the check reports an unknown field, and a missing one", async () => {
  const errorsOf = (panel: object) =>
    wrongIn({ ...dashboard, panels: dashboard.panels.slice(0, 2).map((one) => ({ ...one, ...panel })) });
  expect(await errorsOf({ colour: "red" })).toMatch(/"?colour"?' does not exist in type/);
  expect(await errorsOf({ options: {} })).toMatch(/is missing the following properties .*reduceOptions/);
});
