/**
 * Invented companies for what few real names show: owners' associations with ranges of house numbers, names whose letters break, and branches. They are
 * synthetic, and their registry is that of the real names.
 */
import { crc32 } from "node:zlib";
import { type KvkNumber, kvkNumberOf } from "../../src/contract/numbers.ts";
import { visitingAddress } from "../../src/demo/registry/addresses.ts";
import { Random } from "../../src/demo/registry/random.ts";
import { PLACES_BY_SIZE } from "../../src/demo/registry/words/places.ts";
import { known } from "../../src/lib/values.ts";
import { halfOf } from "../relevance/registry.ts";
import type { DamageClass } from "./damage.ts";
import type { RealCompany } from "./data.ts";

const COMPANIES = 400;
/** No company of a registry has numbers as low. */
const FIRST_NUMBER = 500_000;
const list = (text: string) => text.split(",");

const STARTS = list(
  "Zwalm,Kwets,Plof,Dribbel,Vlonder,Schrans,Wiebel,Knots,Brommel,Trippel,Snater,Gors,Pruttel,Zwenk,Mommel,Flodder,Kribbel,Drens,Blaas,Stuiter",
);
const MIDDLES = list("akker,berg,kamp,horst,veld,wijk,meer,oever,donk,rode,stein,weide,poel,brink,hoek");
const STREET_ENDS = list("straat,laan,hof,plein,kade,singel,dreef,pad");
const ACCENTED = list(
  "Müller,Jäger,Café,Zoë,Crèche,Citroën,Böhm,Straßen,Noël,Façade,Groß,Señor,Coöperatieve,Geïntegreerde,Ruïne,Élan,Fräser,Künstler,Patiënten,Ligné",
);
const TRADES = list(
  "Bouw,Advies,Transport,Kozijnen,Techniek,Catering,Installaties,Reizen,Meubelen,Fietsen,Bloemen,Schilders,Drukkerij,Optiek",
);

type Kind = "owners" | "accents" | "chain";
const KINDS: readonly Kind[] = ["owners", "accents", "chain"];

interface Range {
  readonly street: string;
  readonly from: number;
  readonly to: number;
}

const word = (random: Random) => random.pick(STARTS) + random.pick(MIDDLES);
const rangeOf = (random: Random): Range => {
  const from = random.between(1, 300);
  return {
    street: capital(word(random)) + random.pick(STREET_ENDS),
    from,
    to: from + 2 * random.between(2, 60),
  };
};
const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

function nameOf(kind: Kind, city: string, random: Random): string {
  if (kind === "chain") return `${capital(word(random))} ${random.pick(TRADES)} B.V.`;
  if (kind === "accents")
    return random.pick([
      `${random.pick(ACCENTED)} ${capital(word(random))} B.V.`,
      `${capital(word(random))} ${random.pick(ACCENTED)} ${random.pick(TRADES)}`,
      `${random.pick(ACCENTED)}-${random.pick(TRADES)} ${capital(word(random))} V.O.F.`,
    ]);
  const { street, from, to } = rangeOf(random);
  return random.pick([
    `Vereniging van Eigenaars ${street} ${from} t/m ${to} te ${city}`,
    `Vereniging van Eigenaars ${street} ${from}-${to} te ${city}`,
    `VvE ${street} ${from} t/m ${to}`,
    `Vereniging van Eigenaren ${street} ${from} tot en met ${to} te ${city}`,
  ]);
}

interface Invented extends RealCompany {
  readonly kind: Kind;
}

/** Returns the invented companies; those of a kind alternate. */
export const INVENTED: readonly Invented[] = Array.from({ length: KINDS.length * COMPANIES }, (_, nth) => {
  const random = new Random(crc32(`invented ${nth}`));
  const kind = KINDS[nth % KINDS.length] ?? "chain";
  const { address } = visitingAddress(random);
  const kvkNumber = kvkNumberOf(FIRST_NUMBER + nth);
  const name = nameOf(kind, address.city ?? "", random);
  const facts = { kvkNumber, name, isActive: true, address: { ...address, kind: "visiting" as const } };
  return { kind, kvkNumber, name, half: halfOf(kvkNumber), isWithheld: random.chance(1 / 3), address, facts };
});
const KIND_OF = new Map<KvkNumber, Kind>(INVENTED.map(({ kvkNumber, kind }) => [kvkNumber, kind]));

export const isInvented = ({ kvkNumber }: RealCompany): boolean => KIND_OF.has(kvkNumber);

/** Reads the bytes of a text in another encoding. */
function misread(name: string, written: BufferEncoding, read: string): string {
  return new TextDecoder(read).decode(Buffer.from(name, written)).replace(/[\u0080-\u009f]/g, "\ufffd");
}
const lost = (name: string, sign: string) => name.replace(/[^\x00-\x7f]/g, sign);

const BREAKS: readonly ((name: string) => string)[] = [
  (name) => misread(name, "utf8", "windows-1252"),
  (name) => misread(misread(name, "utf8", "windows-1252"), "utf8", "windows-1252"),
  (name) => misread(name, "latin1", "utf-8"),
  (name) => lost(name, "?"),
  (name) => lost(name, "??"),
  (name) => lost(name, "\ufffd"),
  (name) => lost(name, ""),
  (name) => name.replace(/[^\x00-\x7f]/g, (letter) => `&#${letter.codePointAt(0)};`),
  (name) =>
    name.replace(/[^\x00-\x7f]/g, (letter) =>
      [...Buffer.from(letter)].map((byte) => `=${byte.toString(16).toUpperCase()}`).join(""),
    ),
  (name) => name.replace(/[^\x00-\x7f]/g, (letter) => encodeURIComponent(letter)),
  (name) => name.replace(/[^\x00-\x7f]/g, (letter) => DOS[letter] ?? "?"),
  (name) => misread(name, "utf8", "ibm866").replace(/[А-я]/g, "?"),
];
/** Letters in the code page of DOS, read as windows-1252. */
const DOS: Readonly<Record<string, string>> = {
  ü: "?",
  ä: "„",
  é: "‚",
  ë: "‰",
  è: "Š",
  ö: "”",
  ï: "‹",
  ç: "‡",
  ß: "á",
  ñ: "¤",
  É: "?",
};

function rangeWritten(name: string, random: Random): string {
  const [, street = "", from = "", to = ""] = /(\S+) ([0-9]+)\D+([0-9]+)/.exec(name) ?? [];
  return random.pick([
    `VVE ${street} ${from}-${to}`,
    `VvE ${street} ${from} t/m ${to}`,
    `V.v.E. ${street} ${from} tot en met ${to}`,
    `Vereniging van Eigenaren ${street} ${from} - ${to}`,
    `Ver. van Eigenaars ${street} ${from} tm ${to}`,
    `Vereniging van Eigenaars ${street} nrs. ${from}/${to}`,
    `VVE ${street} ${from}–${to}`,
  ]);
}

function asBranch(name: string, random: Random): string {
  const bare = random.chance(0.5) ? name : name.replace(/ B\.V\.$/, "");
  const place = random.pick(PLACES_BY_SIZE).name;
  const digits = random.pick([String(random.between(2, 99)), String(random.between(1, 99)).padStart(3, "0")]);
  return random.pick([
    `${bare} filiaal ${digits}`,
    `${bare} fil. ${digits}`,
    `${bare} vestiging ${place}`,
    `${bare}, vestiging ${place}`,
    `${bare} #${digits}`,
    `${bare} locatie ${place}`,
    `${bare} (${place})`,
    `${bare} - filiaal ${place}`,
    `${bare} winkel ${digits}`,
    `${bare} vest. ${place}`,
  ]);
}

function ofKind(
  kind: Kind,
  id: string,
  title: string,
  write: (name: string, random: Random) => string,
): DamageClass {
  return {
    id,
    title: `${title} (invented names)`,
    variants: ["own"],
    query: (company, random) => {
      if (KIND_OF.get(company.kvkNumber) !== kind) return undefined;
      return { name: write(company.name, random), ...known("city", company.address.city) };
    },
  };
}

export const INVENTED_CLASSES: readonly DamageClass[] = [
  ofKind("owners", "owners", "owners' associations with ranges of house numbers", rangeWritten),
  ofKind("accents", "broken", "broken characters", (name, random) => random.pick(BREAKS)(name)),
  ofKind("chain", "branch", "a branch: a number or another place", asBranch),
];
