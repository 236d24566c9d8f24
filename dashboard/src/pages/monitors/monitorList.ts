import type { Monitor } from "../../../../src/contract/monitors.ts";
import { readMonitors } from "../../api/monitors.ts";
import { patiently, pause } from "./numberList.ts";

/** Pages of 500 that are loaded, so that an account with very many monitors does not fill the browser. */
const MAX_PAGES = 40;

/** Reads the monitors of the account, newest first. `isCut`: there are more than are loaded. @throws {Failure} */
export async function readAllMonitors() {
  const monitors: Monitor[] = [];
  let next: string | undefined = "";
  for (let page = 0; next !== undefined && page < MAX_PAGES; page += 1) {
    const after: string = next;
    const read = await patiently(() => readMonitors(after), pause);
    monitors.push(...read.monitors);
    next = read.next;
  }
  return { monitors: monitors.reverse(), isCut: next !== undefined };
}

/** The present name of a company, or its number. */
export function nameOf({ company, metadata, kvkNumber }: Monitor): string {
  return company?.name ?? metadata?.name ?? kvkNumber;
}

const SHOWN = {
  all: () => true,
  active: ({ company }: Monitor) => company?.isActive === true,
  ended: ({ company }: Monitor) => company?.isActive === false,
  paused: ({ status }: Monitor) => status === "paused",
  unwatched: ({ watchedBy }: Monitor) => watchedBy.length === 0,
};
const ORDERS = { newest: () => "", name: nameOf, city: ({ company }: Monitor) => company?.city ?? "" };

export interface MonitorFilter {
  readonly typed: string;
  readonly shown: keyof typeof SHOWN;
  readonly order: keyof typeof ORDERS;
  /** From 1. */
  readonly page: number;
}

/**
 * Finds monitors by name, number, city and the values of their metadata, and sorts them, monitors without a city last.
 */
export function chosenOf(
  monitors: readonly Monitor[],
  { typed, shown, order }: Omit<MonitorFilter, "page">,
): readonly Monitor[] {
  const words = plain(typed).split(/\s+/);
  const { compare } = new Intl.Collator("nl", { numeric: true });
  return monitors
    .filter(SHOWN[shown])
    .map((monitor) => ({ monitor, key: ORDERS[order](monitor) }))
    .filter(({ monitor: { kvkNumber, company, metadata = {} } }) => {
      const text = plain([company?.name, kvkNumber, company?.city, ...Object.values(metadata)].join(" "));
      return words.every((word) => text.includes(word));
    })
    .sort((one, two) => Number(one.key === "") - Number(two.key === "") || compare(one.key, two.key))
    .map(({ monitor }) => monitor);
}

function plain(text: string): string {
  return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
}
