import { openMatchRegistry, readRealCompanies } from "./bench/match/data.ts";
import { generateCompanies, DEMO_SEED } from "./src/demo/generateCompanies.ts";
const companies = 400000; const folder = "/var/tmp/lead/reg400";
const s = await openMatchRegistry(folder, readRealCompanies(), companies);
const qs: { name: string; city?: string }[] = [];
let i = 0;
for (const { facts } of generateCompanies({ companies, seed: DEMO_SEED })) {
  if (i++ % 160 !== 0) continue;
  const kind = i % 4; const city = facts.address?.city;
  const name = kind === 0 ? facts.name.toUpperCase() : kind === 1 ? facts.name.replace(/[aeiou](?=[a-z])/, "") : facts.name;
  qs.push({ name, ...(kind !== 2 && city !== undefined && { city }) });
}
for (const q of qs.slice(0, 300)) s.match(q, { limit: 3 });
const times: number[] = []; const c0 = process.cpuUsage(); const d: Record<string, number> = {};
for (const q of qs) { const t = performance.now(); const r = s.match(q, { limit: 3 }); times.push(performance.now() - t); d[r.decision] = (d[r.decision] ?? 0) + 1; }
const c = process.cpuUsage(c0);
times.sort((a, b) => a - b);
console.log(qs.length, d, "cpu ms/query", ((c.user + c.system) / 1000 / qs.length).toFixed(2), "p50", times[times.length >> 1]?.toFixed(2), "p99", times[Math.floor(times.length * 0.99)]?.toFixed(1), "max", times.at(-1)?.toFixed(1));
const long = "Koninklijke Nederlandse Vereniging voor bakkers en slagers ".repeat(12).slice(0, 700);
for (const name of [long, "De Jong ".repeat(87), "x ".repeat(350), "Jansen", "Stichting de van het en"]) { const t = performance.now(); s.match({ name, city: "Amsterdam" }, { limit: 3 }); console.log(name.slice(0, 20), (performance.now() - t).toFixed(1)); }
