/** How soon the alerts about outages fire and end, wherever the outage lies between scrapes and evaluations. */
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { stringify } from "yaml";
import { ROOT } from "../architecture/repository.ts";
import { itWith, program } from "../kit/needs.ts";
import { variants } from "../kit/thorough.ts";
import { temporaryFolder } from "../kit/world.ts";

const SCRAPE_SECONDS = 15;
const BEGIN_SECONDS = 150;
const WITHIN_SECONDS = 120;
const LONG_SECONDS = 600;
const SHORT_SECONDS = 64;
/** Of evaluations and of scrapes, in seconds. */
const PHASES = [0, 1, 7, 14];

type Value = (isOut: boolean, outages: number, calls: number) => number | "stale" | undefined;

/** A series by alert, from whether the service is out, and the scrapes so far during the outage and in all. */
const SERIES: Readonly<Record<string, Readonly<Record<string, Value>>>> = {
  OpzoekDown: { up: (isOut) => (isOut ? 0 : 1) },
  OpzoekNotReady: { opzoek_ready: (isOut) => (isOut ? 0 : 1) },
  // The series of a status begins with its first response.
  OpzoekErrors: {
    'opzoek_http_requests_total{status="503"}': (_, outages) => (outages === 0 ? undefined : 60 * outages),
    'opzoek_http_requests_total{status="200"}': (_, outages, calls) => 60 * (calls - outages),
  },
  OpzoekStateAway: { opzoek_store_failures_total: (_, outages) => 3 * outages },
  OpzoekNamesMissing: { opzoek_registry_findable: (isOut) => (isOut ? 0 : 1) },
  OpzoekViesAway: { 'opzoek_upstream_health{upstream="vies",status="down"}': (isOut) => Number(isOut) },
  OpzoekOpenDataAway: {
    'opzoek_upstream_health{upstream="openData",status="down"}': (isOut) => Number(isOut),
  },
  OpzoekPeppolDown: { 'opzoek_upstream_health{upstream="peppol",status="down"}': (isOut) => Number(isOut) },
  OpzoekKvkAway: { 'opzoek_upstream_breaker_open{upstream="kvk",breaker="kvk"}': (isOut) => Number(isOut) },
};

/** The target of one node, which disappears. */
const TARGET = { OpzoekNoTarget: { up: (isOut: boolean) => (isOut ? "stale" : 1) } } as const;

/** Tests of an outage. Each node is scraped at another phase. */
function testOf(series: typeof SERIES, lengthSeconds: number, phase: number) {
  const [begin, end] = [BEGIN_SECONDS + phase, BEGIN_SECONDS + phase + lengthSeconds];
  const nodes = series === SERIES ? PHASES : PHASES.slice(0, 1);
  const all = nodes.flatMap((scrapedAt) =>
    Object.values(series)
      .flatMap((each) => Object.entries(each))
      .map(([name, value]) => ({
        series: withLabels(name, `instance="${scrapedAt}",job="opzoek"`),
        values: valuesOf(value, scrapedAt, begin, end),
      })),
  );
  const firing = 'ALERTS{alertstate="firing"}';
  const count = `count by (alertname) (${firing})`;
  const everyAlert = Object.keys(series).map((alert) => ({
    labels: `{alertname="${alert}"}`,
    value: nodes.length,
  }));
  const after = Array.from({ length: 40 }, (_, nth) => end + 1 + nth * 5);
  const queries =
    lengthSeconds === LONG_SECONDS
      ? [
          { expr: count, eval_time: `${begin - 1}s` },
          { expr: count, eval_time: `${begin + WITHIN_SECONDS}s`, exp_samples: everyAlert },
          { expr: count, eval_time: `${end - 1}s`, exp_samples: everyAlert },
          ...after
            .filter((second) => second >= end + WITHIN_SECONDS)
            .map((second) => ({ expr: firing, eval_time: `${second}s` })),
        ]
      : after.map((second) => ({ expr: `${firing} unless ${firing} @ ${end}`, eval_time: `${second}s` }));
  return { interval: "1s", input_series: all, promql_expr_test: queries };
}

function withLabels(name: string, labels: string): string {
  return name.includes("{") ? name.replace("}", `,${labels}}`) : `${name}{${labels}}`;
}

/** The values of a series, one a second, with a sample at each scrape. */
function valuesOf(value: Value, phase: number, begin: number, end: number): string {
  let [outages, calls] = [0, 0];
  return Array.from({ length: end + LONG_SECONDS }, (_, second) => {
    if (second % SCRAPE_SECONDS !== phase) return "_";
    const isOut = second >= begin && second < end;
    calls += 1;
    if (isOut) outages += 1;
    return value(isOut, outages, calls) ?? "_";
  }).join(" ");
}

itWith(
  program("promtool"),
  "an outage of ten minutes fires and ends within two minutes, and one of 64 s fires while it lasts or never",
  () => {
    const tests = [SERIES, TARGET].flatMap((series) =>
      [LONG_SECONDS, SHORT_SECONDS].flatMap((length) =>
        variants(PHASES, { ordinary: 2 }).map((phase) => testOf(series, length, phase)),
      ),
    );
    const file = join(temporaryFolder(), "outages.test.yml");
    const rules = join(ROOT, "deploy/monitoring/alerts.yml");
    writeFileSync(file, stringify({ rule_files: [rules], evaluation_interval: "15s", tests }));
    expect(execFileSync("promtool", ["test", "rules", file], { encoding: "utf8" })).toContain("SUCCESS");
  },
);
