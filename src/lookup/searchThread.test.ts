import { expect, it, onTestFinished } from "vitest";
import { snapshotOf, sourcedFacts } from "../../test/kit/registry.ts";
import { inOneGo } from "../lib/steps.ts";
import { SearchThread } from "../snapshot/search/searchThread.ts";
import { CompanyFinder } from "./finding.ts";

const CRITERIA = { q: "voorbeeld", page: 1, pageSize: 10 };

function thread(onFailed?: (error: Error) => void): SearchThread {
  const made = new SearchThread({ ...(onFailed && { onFailed }) });
  onTestFinished(() => made.close());
  return made;
}

it("gives what the snapshot itself gives, for many at once, and of a new snapshot too", async () => {
  const searches = thread();
  const [one, other] = [
    await snapshotOf([sourcedFacts(1)]),
    await snapshotOf([sourcedFacts(2), sourcedFacts(3)]),
  ];
  for (const snapshot of [one, other, one]) {
    const pages = await Promise.all([1, 2, 3].map(() => searches.find(snapshot.place, "search", CRITERIA)));
    for (const page of pages) expect(page).toEqual(inOneGo(snapshot.search(CRITERIA)));
    const asked = { q: "voorbeeld bv", limit: 3 };
    const items = await searches.find(snapshot.place, "autocomplete", asked);
    expect(items).toEqual(snapshot.autocomplete(asked.q, asked.limit));
  }
});

it("completes texts of several words, which can take long; a single word is looked up here", async () => {
  const snapshot = await snapshotOf([sourcedFacts(1)]);
  const finder = new CompanyFinder({ registry: { current: snapshot }, thread: thread() });
  for (const q of ["voorbeeld b", "voorbeeld-1", "1 v", "voorbeeld⑴b"]) {
    const finding = finder.autocomplete(q, 8);
    expect([q, finding]).toEqual([q, expect.any(Promise)]);
    expect(await finding).toMatchObject({ kind: "found", found: [{}] });
  }
  for (const q of ["voorbeeld", " voorb ", "é-"]) {
    expect(finder.autocomplete(q, 8)).toMatchObject({ kind: "found" });
  }
});

it("says so when it cannot, and then the snapshot is searched here", async () => {
  const told: string[] = [];
  const searches = thread(({ message }) => told.push(message));
  const snapshot = await snapshotOf([sourcedFacts(1)]);
  const place = { ...snapshot.place, path: `${snapshot.place.path}-gone` };
  await expect(searches.find(place, "search", CRITERIA)).rejects.toThrow();
  expect(told).toEqual([expect.stringContaining("cannot be used")]);
  const moved = new Proxy(snapshot, {
    get(target, name) {
      if (name === "place") return place;
      const member: unknown = Reflect.get(target, name, target);
      return typeof member === "function" ? member.bind(target) : member;
    },
  });
  const finding = new CompanyFinder({ registry: { current: moved }, thread: searches }).search(CRITERIA);
  expect(finding).toBeInstanceOf(Promise);
  const here = await finding;
  if (here.kind !== "in-steps") throw new Error(`it is ${here.kind}`);
  expect(inOneGo(here.steps)).toMatchObject({ total: 1 });
});

it("tells those who wait when it is closed, and takes no more", async () => {
  const told: Error[] = [];
  const searches = thread((error) => told.push(error));
  const { place } = await snapshotOf([sourcedFacts(1)]);
  const waiting = [searches.find(place, "search", CRITERIA), searches.find(place, "search", CRITERIA)];
  await searches.close();
  for (const result of await Promise.allSettled(waiting)) expect(result.status).toBe("rejected");
  await expect(searches.find(place, "search", CRITERIA)).rejects.toThrow("closed");
  expect(told).toEqual([]);
});
