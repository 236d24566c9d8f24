import { describe, expect, it } from "vitest";
import { type Holder, knownToVies } from "./viesCompanies.ts";

const holder = (rsin: string): Holder => ({ company: { name: `Bedrijf ${rsin}`, isActive: true, rsin } });

describe("knownToVies", () => {
  it("reads nothing before a Dutch number is asked, and then once, however many ask", async () => {
    let reads = 0;
    const companyOf = knownToVies(() => {
      reads += 1;
      return [holder("123456782")];
    });
    expect(await companyOf("DE", "123456782B01")).toBeUndefined();
    expect(reads).toBe(0);
    const answers = await Promise.all([
      companyOf("NL", "123456782B01"),
      companyOf("NL", "123456782B01"),
      companyOf("NL", "999999990B01"),
    ]);
    expect(answers).toEqual([{ name: "BEDRIJF 123456782", address: "\n\n" }, answers[0], undefined]);
    expect(reads).toBe(1);
  });

  it("lets others have their turn while it reads", async () => {
    let read = 0;
    const companyOf = knownToVies(function* () {
      for (; read < 5_000; read++) yield holder(String(900_000_001 + read));
    });
    const answer = companyOf("NL", "900000001B01");
    const seen: number[] = [];
    while (read < 5_000) {
      seen.push(read);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(await answer).toMatchObject({ name: "BEDRIJF 900000001" });
    expect(Math.max(...seen.map((count, at) => count - (seen[at - 1] ?? 0)))).toBeLessThanOrEqual(500);
  });
});
