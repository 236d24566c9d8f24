/** The real companies that are matched: their made-up addresses, and the registry that lacks a third of them. */
import { createHash } from "node:crypto";
import { crc32 } from "node:zlib";
import type { CompanyFacts, SourcedFacts } from "../../src/company/facts.ts";
import { parseLegalForm } from "../../src/company/legalForm.ts";
import type { KvkNumber } from "../../src/contract/numbers.ts";
import type { Address } from "../../src/contract/resources.ts";
import { shielded, visitingAddress } from "../../src/demo/registry/addresses.ts";
import { Random } from "../../src/demo/registry/random.ts";
import { brandName } from "../../src/demo/registry/words/fantasy.ts";
import { known } from "../../src/lib/values.ts";
import type { SnapshotFile } from "../../src/registry/snapshotFile.ts";
import { exactKey, withoutLegalForm } from "../../src/search/legalFormWords.ts";
import { normalise } from "../../src/search/normalise.ts";
import { NameSet } from "../relevance/nameSet.ts";
import {
  amongGenerated,
  type Half,
  halfOf,
  type NamedCompany,
  openRegistryOf,
  REAL_NAMES_FILE,
  readRealNames,
  realFacts,
} from "../relevance/registry.ts";
import { typedName } from "../relevance/typedName.ts";

export interface RealCompany extends NamedCompany {
  readonly half: Half;
  /** Not in the registry, so that any match of it is wrong. */
  readonly isWithheld: boolean;
  /** Complete, also where the registry shows only the city. */
  readonly address: Address;
  readonly facts: CompanyFacts;
}

/** The share of companies at an address of their group, if they have one: related companies often share a building. */
const AT_GROUP_ADDRESS = 0.5;
/** Companies whose first word is the same. A word with more is common: `Global`, `Royal`. */
const MAX_GROUP = 12;
const INACTIVE = 0.04;
const SHIELDED = 0.02;
const SHORT_TRADING_NAME = 0.3;
const OTHER_TRADING_NAME = 0.1;

/**
 * Returns the companies of {@link REAL_NAMES_FILE} with made-up facts that depend only on the file.
 * @throws {Error} if the file is absent
 */
export function readRealCompanies(): readonly RealCompany[] {
  const named = readRealNames();
  if (named.length === 0) throw new Error(`Real names are required: there is no ${REAL_NAMES_FILE}`);
  const groups = Map.groupBy(named, ({ name }) => groupOf(name));
  return named.map((company) => {
    const group = groupOf(company.name);
    const size = groups.get(group)?.length ?? 0;
    return realCompany(company, size >= 2 && size <= MAX_GROUP ? group : undefined);
  });
}

function groupOf(name: string): string {
  return withoutLegalForm(normalise(name)).split(" ")[0] ?? "";
}

function realCompany({ kvkNumber, name }: NamedCompany, group: string | undefined): RealCompany {
  const random = new Random(crc32(`facts ${kvkNumber}`));
  const isAtGroup = random.chance(AT_GROUP_ADDRESS) && group !== undefined;
  const place = isAtGroup ? `group ${group}` : `company ${kvkNumber}`;
  const { address } = visitingAddress(new Random(crc32(place)));
  const isShielded = random.chance(SHIELDED);
  const { before, words, after } = typedName(name);
  const short = words.join(" ");
  const legalForm = parseLegalForm([...before, ...after].join(" "));
  const tradingNames: string[] = [];
  if (random.chance(SHORT_TRADING_NAME) && short !== name) tradingNames.push(short);
  if (random.chance(OTHER_TRADING_NAME)) tradingNames.push(brandName(random));
  return {
    kvkNumber,
    name,
    half: halfOf(kvkNumber),
    isWithheld: isWithheld(kvkNumber),
    address,
    facts: {
      kvkNumber,
      name,
      isActive: !random.chance(INACTIVE),
      address: { ...(isShielded ? shielded(address) : address), kind: "visiting" },
      tradingNames,
      ...known("legalForm", legalForm === "none" ? undefined : legalForm),
    },
  };
}

/** One third, by a byte of the hash other than the one that chooses the half. */
function isWithheld(kvkNumber: KvkNumber): boolean {
  return (createHash("sha256").update(kvkNumber).digest()[1] ?? 0) % 3 === 0;
}

/** Yields the companies of the registry: the real ones that are not withheld, and `companies` generated ones. */
export function matchFacts(real: readonly RealCompany[], companies: number): Generator<SourcedFacts> {
  const present = real.filter((company) => !company.isWithheld);
  return amongGenerated(
    present.map(({ facts }) => realFacts(facts)),
    companies,
  );
}

/** Opens the registry in a folder, and builds it first if the folder has none. */
export function openMatchRegistry(
  directory: string,
  real: readonly RealCompany[],
  companies: number,
): Promise<SnapshotFile> {
  const present = real.filter((company) => !company.isWithheld).length;
  return openRegistryOf(directory, matchFacts(real, companies), present + companies);
}

export interface MatchSurvey {
  /** The companies of each half to match, in an order that depends only on their numbers. */
  readonly halves: Readonly<Record<Half, readonly RealCompany[]>>;
  /** Companies left out because another in the registry has the same name, apart from legal form and spaces. */
  readonly twins: number;
  /** The names in the registry. */
  readonly names: NameSet;
}

/** Reads all companies of a registry once, without its files. */
export function surveyCompanies(real: readonly RealCompany[], companies: number): MatchSurvey {
  const owners = new Map(real.map(({ name }) => [keyOf(name), new Set<KvkNumber>()]));
  const names = new NameSet();
  for (const { facts } of matchFacts(real, companies)) {
    const own = keyOf(facts.name);
    for (const name of [facts.name, facts.statutoryName, ...(facts.tradingNames ?? [])]) {
      if (name === undefined) continue;
      owners.get(keyOf(name))?.add(facts.kvkNumber);
      // A shorter form of the own name is not another name.
      if (name === facts.name || keyOf(name) !== own) names.add(name);
    }
  }
  const single = real
    .filter(({ kvkNumber, name }) => [...(owners.get(keyOf(name)) ?? [])].every((one) => one === kvkNumber))
    .map((company) => ({ company, place: crc32(`order ${company.kvkNumber}`) }))
    .sort((one, other) => one.place - other.place)
    .map(({ company }) => company);
  const ofHalf = (half: Half) => single.filter((company) => company.half === half);
  return {
    halves: { tune: ofHalf("tune"), measured: ofHalf("measured") },
    twins: real.length - single.length,
    names,
  };
}

function keyOf(name: string): string {
  return exactKey(normalise(name));
}
