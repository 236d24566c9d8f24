/** The metrics that `deploy/monitoring` queries are those that the service exports. */
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { METRICS } from "../../build/metrics.ts";
import { readSettings } from "../../src/app/settings/settings.ts";
import { ROOT, textOf } from "../architecture/repository.ts";
import { composeWith, FIRST_ENV } from "../deploy/composeFile.ts";
import { itWith, program } from "../kit/needs.ts";
import { temporaryFolder } from "../kit/world.ts";

const FOLDER = "deploy/monitoring";
/** Those that need a day are evaluated less often, which is faster. */
const RULE_TESTS = ["alerts.test.yml", "alerts.days.test.yml"];

interface Panel {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly description?: string;
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly targets?: readonly {
    readonly refId: string;
    readonly expr: string;
    readonly legendFormat: string;
  }[];
}

interface Dashboard {
  readonly uid: string;
  readonly title: string;
  readonly schemaVersion: number;
  readonly version: number;
  readonly panels: readonly Panel[];
  readonly templating: { readonly list: readonly { readonly name: string }[] };
}

const alerts = textOf(`${FOLDER}/alerts.yml`);
const dashboard = JSON.parse(textOf(`${FOLDER}/dashboard.json`)) as Dashboard;
const targets = dashboard.panels.flatMap(({ title, targets: own = [] }) =>
  own.map((target) => ({ title, ...target })),
);
/** The expressions of the alert rules, on one line or several. */
const rules = [...alerts.matchAll(/expr: (?:\|\n((?: {10,}.*\n)+)|(.*)\n)/g)].map(
  ([, long, short]) => long ?? short ?? "",
);

/** Labels that Prometheus adds to every series. */
const SCRAPED = ["instance", "job"];
/** The label of a histogram's buckets. */
const BUCKET = "le";

/** The unknown names and labels in an expression; empty if all exist. */
function wrongIn(expr: string): string[] {
  const exported = new Map<string, readonly string[]>();
  for (const { name, type, labels } of METRICS) {
    const own = [...labels, ...SCRAPED];
    if (type === "histogram") {
      exported
        .set(`${name}_bucket`, [...own, BUCKET])
        .set(`${name}_sum`, own)
        .set(`${name}_count`, own);
    } else exported.set(name, own);
  }
  const used = [...expr.matchAll(/\b(opzoek_\w+)(?:\{([^}]*)\})?/g)];
  const known = new Set([...SCRAPED, ...used.flatMap(([, name = ""]) => exported.get(name) ?? [])]);
  const grouped = [...expr.matchAll(/\b(?:by|without) ?\(([^)]*)\)/g)].flatMap(([, list = ""]) =>
    list.split(",").map((label) => label.trim()),
  );
  return [
    ...used.flatMap(([, name = "", selector = ""]) => {
      const labels = exported.get(name);
      if (labels === undefined) return [`nothing exports ${name}`];
      return [...selector.matchAll(/(\w+) ?[!=]~?"/g)].flatMap(([, label = ""]) =>
        labels.includes(label) ? [] : [`${name} has no label ${label}`],
      );
    }),
    ...grouped.filter((label) => !known.has(label)).map((label) => `nothing here has the label ${label}`),
  ];
}

it("neither the alert rules nor the dashboard's shares of requests count those of test keys", () => {
  const parts = [...rules, ...targets.map(({ expr }) => expr)].flatMap((expr) =>
    expr.includes("opzoek_http_requests_total") && expr.includes("/")
      ? [...expr.matchAll(/opzoek_http_requests_total(?:\{([^}]*)\})?/g)]
      : [],
  );
  expect(parts.length).toBeGreaterThan(3);
  expect(parts.filter(([, selector = ""]) => !selector.includes('operation!="test"'))).toEqual([]);
});

describe("the alert rules", () => {
  it("query only exported metrics, each with advice", () => {
    const names = [...alerts.matchAll(/- alert: (\w+)/g)].map(([, name]) => name);
    expect(names.length).toBeGreaterThan(0);
    expect(new Set(names).size).toBe(names.length);
    expect(rules.length).toBe(names.length);
    expect([...alerts.matchAll(/\n {10}action: "/g)].length).toBe(names.length);
    expect(rules.filter((expr) => !/\b(?:opzoek_|up\{)/.test(expr))).toEqual([]);
    expect(rules.flatMap(wrongIn)).toEqual([]);
    const tested = RULE_TESTS.map((file) => textOf(`${FOLDER}/${file}`)).join("");
    expect(names.filter((name) => !tested.includes(`alertname: ${name}\n        exp_alerts:`))).toEqual([]);
  });

  it("reports unknown names and labels", () => {
    expect(wrongIn('sum by (nobody) (rate(opzoek_made_up_total{reason="x"}[5m]))')).toHaveLength(2);
    expect(wrongIn('opzoek_refusals_total{key="x"}')).toEqual(["opzoek_refusals_total has no label key"]);
    expect(wrongIn("opzoek_http_request_duration_seconds")).toHaveLength(1);
  });

  itWith(program("promtool"), "fire as their tests specify, by promtool", () => {
    const cwd = join(ROOT, FOLDER);
    execFileSync("promtool", ["check", "rules", "alerts.yml"], { cwd });
    // Debian's promtool supports only file-based target discovery.
    const here = textOf(`${FOLDER}/scrape.yml`)
      .replace("- alerts.yml", `- ${join(cwd, "alerts.yml")}`)
      .replace(/kubernetes_sd_configs:\n +- role: pod/, "static_configs: []");
    const file = join(temporaryFolder(), "scrape.yml");
    writeFileSync(file, here);
    execFileSync("promtool", ["check", "config", file], { cwd });
    const tested = execFileSync("promtool", ["test", "rules", ...RULE_TESTS], { cwd, encoding: "utf8" });
    expect(tested.match(/SUCCESS/g)).toHaveLength(RULE_TESTS.length);
  });
});

describe("the metrics of the alerts", () => {
  const scrape = parse(textOf(`${FOLDER}/scrape.yml`)) as {
    readonly scrape_configs: readonly {
      readonly job_name: string;
      readonly static_configs?: readonly { readonly targets: readonly string[] }[];
      readonly relabel_configs?: readonly Readonly<Record<string, unknown>>[];
    }[];
  };
  const [own, pods] = scrape.scrape_configs;
  const [target] = own?.static_configs?.flatMap(({ targets: all }) => all) ?? [];

  it("are served where Prometheus scrapes, with the files for systemd and Docker Compose", () => {
    expect([own?.job_name, target]).toEqual(["opzoek", "127.0.0.1:9464"]);
    expect(alerts).toContain(`up{job="${own?.job_name}"}`);
    const systemd = Object.fromEntries(
      [...textOf("deploy/systemd/env").matchAll(/^([A-Z_]+)=(.*)$/gm)].map(([, name = "", value]) => [
        name,
        value,
      ]),
    );
    const { METRICS_HOST, METRICS_PORT } = readSettings(systemd);
    expect(`${METRICS_HOST}:${METRICS_PORT}`).toBe(target);
    const { opzoek } = composeWith(FIRST_ENV).services;
    expect(opzoek.environment).toMatchObject({ METRICS_HOST: "0.0.0.0", METRICS_PORT: "9464" });
    expect(opzoek.ports).toEqual([`${target}:9464`]);
  });

  it("are served by each pod to Prometheus at the named port", () => {
    const all = parseAllDocuments(textOf("deploy/kubernetes/opzoek.yaml")).map(
      (one) => one.toJS() as { readonly kind: string; readonly data?: unknown; readonly spec?: unknown },
    );
    const of = (kind: string) => all.find((one) => one.kind === kind);
    expect(of("ConfigMap")?.data).toMatchObject({ METRICS_HOST: "0.0.0.0", METRICS_PORT: "9464" });
    const ports = expect.arrayContaining([{ name: "metrics", containerPort: 9464 }]);
    expect(of("Deployment")?.spec).toMatchObject({
      template: { spec: { containers: [expect.objectContaining({ ports })] } },
    });
    expect(of("NetworkPolicy")?.spec).toMatchObject({
      ingress: expect.arrayContaining([
        expect.objectContaining({ ports: [{ protocol: "TCP", port: "metrics" }] }),
      ]),
    });
    expect(pods?.relabel_configs).toEqual([
      expect.objectContaining({ regex: "opzoek;metrics", action: "keep" }),
      { target_label: "job", replacement: own?.job_name },
    ]);
  });
});

describe("the dashboard", () => {
  it("queries only exported metrics, and all of them", () => {
    expect(targets.length).toBeGreaterThan(0);
    const wrong = targets.flatMap(({ title, expr }) => wrongIn(expr).map((what) => `${title}: ${what}`));
    expect(wrong).toEqual([]);
    const all = [...targets.map(({ expr }) => expr), JSON.stringify(dashboard.templating)].join("\n");
    // A status with an alert needs no graph.
    const missing = METRICS.filter(({ name }) => !all.includes(name)).map(({ name }) => name);
    expect(missing).toEqual(["opzoek_health"]);
  });

  it("has panels with unique ids, a title, a description and a free position", () => {
    const { panels } = dashboard;
    expect(dashboard).toMatchObject({ uid: "opzoek", title: "Opzoek" });
    expect(dashboard.schemaVersion).toBeGreaterThanOrEqual(39);
    expect(Number.isInteger(dashboard.version)).toBe(true);
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    expect(panels.filter(({ type, description }) => type !== "row" && !description)).toEqual([]);
    const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, cell) => `${x + (cell % w)} ${y + Math.floor(cell / w)}`),
    );
    expect(new Set(cells).size).toBe(cells.length);
    expect(panels.filter(({ gridPos: { x, w } }) => x + w > 24)).toEqual([]);
  });

  it("uses in legends only labels that the query keeps", () => {
    const wrong = targets.flatMap(({ title, expr, legendFormat }) =>
      [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].flatMap(([, label = ""]) => {
        const grouped = /\bby \(([^)]*)\)/.exec(expr)?.[1];
        const isLeft = grouped === undefined || grouped.split(", ").includes(label);
        return isLeft ? [] : [`${title}: ${label}`];
      }),
    );
    expect(wrong).toEqual([]);
    const variables = dashboard.templating.list.map(({ name }) => name);
    const usedVariables = targets.flatMap(({ expr }) =>
      [...expr.matchAll(/"\$(\w+)"/g)].map(([, name]) => name),
    );
    expect(
      [...new Set(usedVariables)].filter((name) => name === undefined || !variables.includes(name)),
    ).toEqual([]);
  });
});
