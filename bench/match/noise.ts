/**
 * Noise around names: numbers, subjects, remarks and other names that bookkeepers add. The words are those of lists,
 * not those of the matcher, which must know the rule rather than the word.
 */
import type { Random } from "../../src/demo/registry/random.ts";
import { known } from "../../src/lib/values.ts";
import { typedName } from "../relevance/typedName.ts";
import type { DamageClass } from "./damage.ts";

type Noise = (name: string, random: Random) => string | undefined;

const list = (text: string) => text.split(",").map((one) => one.trim());
const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

const DEPARTMENTS = list(
  "crediteurenadministratie,debiteurenadministratie,financiële administratie,de administratie,afd. administratie,boekhouding,de boekhouding,afd. boekhouding,inkoopadministratie,de salarisadministratie,afdeling crediteuren,afd. facturen,afdeling inkoop,de inkoopafdeling,Accounts Payable,Finance Department,afd. financiën,uw administratie,het secretariaat,de directie,afdeling facturatie,ontvangst facturen,afd. techniek,afd. wagenpark,team verzekeringen,afd. control,het magazijn,de receptie,afd. P&O,afdeling HR,factuurverwerking,shared service center",
);
const PEOPLE = list(
  "J. de Boer,A.M. Pietersen,mevr. Van Vliet,K. Jonker,H.J. Hoekstra,dhr. P. Kuiper,W. van den Bosch,S. Yilmaz,mw. C. Postma,F.G. Timmermans,Jan Dijkhuis,M. el Idrissi,E. 't Hart,R. Brouwer,L. van Rijn-Smit,Th. Wessels",
);
const INVENTED = list(
  "Zwelbrink Techniek B.V.,Kwalitas Noordwind B.V.,Plomperdam Groep,Vlierhoek Montage,Stichting Dwarsbalk,Oostenwiek Beheer B.V.,Trufelmans & Zn.,Sprokkelbos VOF,Gruttoveld Holding B.V.,Wiebelstra Kozijnen,De Kromme Disselboom,Haverklap Media N.V.",
);
const SUBJECTS = list(
  "factuur #,facturen # en #,fact. #,offerte #,polis #,dossier #,project #,opdracht #,contract #,zaak #,order #,abonnement,jaarafrekening,huur maart,onderhoud lift,levering december,schade #,vordering #,uw schrijven,eindafrekening #",
);
const SUBJECT_MARKS = list(
  "inz.,inzake,Inzake,inz,o.v.v.,ovv,O.V.V.,betr.,betreft,Betreft:,betreft:,i.v.m.,m.b.t.,onder vermelding van",
);
const REFERENCES = list(
  "kenmerk,Kenmerk:,ref.,ref,referentie,klantnr.,debnr.,relatienummer,dossiernr,factuurnr.,uw kenmerk,crediteurnr:",
);
const ALIASES = list(
  "h/o,H/O,h.o.d.n.,hodn,HODN,h/o:,t.h.o.d.n.,thodn,handelend onder de naam,tevens handelend onder de naam,h.o.",
);
const FORMER = list("v/h,V/H,voorheen,vroeger,f/k/a,fka,F.K.A.,voorheen genaamd,v.h.,formerly");
/** Each as lists write it: before the name, behind it, or apart. */
const REMARKS = list(
  "oud,vervallen,dubbel,geblokkeerd,niet gebruiken,niet meer gebruiken,failliet,faillissement,inactief,opgeheven,gestopt,beëindigd,verwijderd,overgenomen,afgesloten,niet leveren,geen krediet,wanbetaler,incasso,deurwaarder,betwist,blokkade,do not use,blocked,duplicate,slapend,archief,let op,gefuseerd,verhuisd",
);

const number = (random: Random) => String(random.between(10_000, 99_999));
const reference = (random: Random) =>
  random.pick([
    number(random),
    `2026-${random.between(1, 999)}`,
    `F${number(random)}`,
    `26${number(random)}`,
  ]);
const subject = (random: Random) => random.pick(SUBJECTS).replaceAll("#", () => reference(random));

/** The kinds of noise that any name may have. Each is matched with the city. */
const NOISES: readonly (readonly [id: string, title: string, noise: Noise])[] = [
  [
    "addressee-before",
    "a department to address before the name",
    (name, random) =>
      `${random.pick(["T.a.v.", "t.a.v.", "TAV", "Attn.", "T.a.v. :"])} ${random.pick(DEPARTMENTS)} ${name}`,
  ],
  [
    "person-before",
    "a person to address before the name",
    (name, random) => `${random.pick(["T.a.v.", "t.a.v.", "Attn."])} ${random.pick(PEOPLE)} ${name}`,
  ],
  [
    "department-behind",
    "a department behind the name",
    (name, random) => {
      const department = random.pick(DEPARTMENTS);
      return random.pick([
        `${name} t.a.v. ${department}`,
        `${name}, ${department}`,
        `${name} - ${capital(department)}`,
        `${name} / ${department}`,
        `${name} p/a ${department}`,
        `${name} (${department})`,
      ]);
    },
  ],
  [
    "subject",
    "a subject behind the name",
    (name, random) =>
      `${name}${random.pick([" ", " ", ", ", " - "])}${random.pick(SUBJECT_MARKS)} ${subject(random)}`,
  ],
  [
    "reference",
    "a reference behind the name",
    (name, random) => {
      const text = `${random.pick(REFERENCES)} ${reference(random)}`;
      return random.pick([`${name} ${text}`, `${name} (${text})`, `${name} - ${text}`, `${name}, ${text}`]);
    },
  ],
  [
    "number-before",
    "a customer's number before the name",
    (name, random) => {
      const digits = number(random);
      return random.pick([
        `${digits} ${name}`,
        `${digits} - ${name}`,
        `D-${digits} ${name}`,
        `#${digits} ${name}`,
        `DEB${digits} ${name}`,
        `${digits}: ${name}`,
        `[${digits}] ${name}`,
        `K${digits} / ${name}`,
      ]);
    },
  ],
  [
    "number-behind",
    "a customer's number behind the name",
    (name, random) => {
      const digits = number(random);
      return random.pick([
        `${name} (${digits})`,
        `${name} / ${digits}`,
        `${name} ${digits}`,
        `${name} - D${digits}`,
        `${name} #${digits}`,
        `${name}, ${digits}`,
        `${name} nr. ${digits}`,
        `${name} [${digits}]`,
      ]);
    },
  ],
  [
    "person-trading",
    "a person trading under the name",
    (name, random) => `${random.pick(PEOPLE)} ${random.pick(ALIASES)} ${name}`,
  ],
  [
    "former-name",
    "a former name before or behind the name",
    (name, random) => {
      const other = random.pick(INVENTED);
      const mark = random.pick(FORMER);
      return random.pick([
        `${name} ${mark} ${other}`,
        `${name}, ${mark} ${other}`,
        `${other} ${mark} ${name}`,
        `${name} (${mark} ${other})`,
      ]);
    },
  ],
  [
    "remark",
    "a remark apart from the name",
    (name, random) => {
      const remark = random.pick(REMARKS);
      const loud = remark.toUpperCase();
      return random.pick([
        `${name} - ${loud}`,
        `${name} (${remark})`,
        `${loud} - ${name}`,
        `*${loud}* ${name}`,
        `${name} *** ${loud} ***`,
        `${name} [${loud}]`,
        `ZZZ ${name}`,
        `${capital(remark)}: ${name}`,
        ...(name === name.toUpperCase() ? [] : [`${loud} ${name}`, `${name} ${loud}`]),
      ]);
    },
  ],
  [
    "sorted",
    "put in order: what stands before or behind the name after a comma",
    (name) => {
      const { before, words, after } = typedName(name);
      const [first = "", ...rest] = words;
      if (before.length > 0) return [`${words.join(" ")}, ${before.join(" ")}`, ...after].join(" ");
      if (/^(?:de|het|the|'t)$/i.test(first) && rest.length > 0)
        return [`${rest.join(" ")}, ${first}`, ...after].join(" ");
      return after.length > 0 ? `${words.join(" ")}, ${after.join(" ")}` : undefined;
    },
  ],
  [
    "glued-form",
    "the legal form glued to the name",
    (name) => {
      const { before, words, after } = typedName(name);
      const form = after.join("");
      const [last = ""] = words.slice(-1);
      if (before.length > 0 || !/^(?:b\.?v|n\.?v)\.?$/i.test(form) || !/\p{Ll}$/u.test(last))
        return undefined;
      return `${words.join(name.length % 2 === 0 ? "" : " ")}${form.toUpperCase()}`;
    },
  ],
];

export const NOISE_CLASSES: readonly DamageClass[] = NOISES.map(([id, title, noise]) => ({
  id,
  title,
  variants: ["own"],
  query: ({ name, address }, random) => {
    const text = noise(name, random);
    return text === undefined ? undefined : { name: text, ...known("city", address.city) };
  },
}));
