/** Invented names: an adjective with an animal, tree or thing, and words without meaning. */
import { type Random, splitList } from "../random.ts";

const ADJECTIVES = splitList(`
Gouden, Zilveren, Rode, Blauwe, Witte, Zwarte, Groene, Gele, Bonte, Oude, Nieuwe, Jonge, Vrolijke, Hoge, Stille
Dappere, Gulle, Kleine, Grote, Wilde, Vliegende, Dansende, Lachende, Goede, Ronde, Gekroonde, Houten, IJzeren
Koperen, Stenen, Slimme, Snelle, Trotse, Lange, Brede, Zoete, Warme, Frisse, Eerlijke, Ambachtelijke, Statige
Sierlijke, Zuidelijke, Noordelijke, Halve, Blije, Luie, Bezige, Hongerige, Zingende, Rustige, Zonnige
`);
const NOUNS_WITH_DE = splitList(`
Vos, Korenaar, Molen, Toren, Zwaan, Leeuw, Arend, Beer, Haan, Uil, Roos, Linde, Eik, Beuk, Tulp, Bij, Hommel
Vlinder, Reiger, Ooievaar, Kraanvogel, Pelikaan, Dolfijn, Haring, Snoek, Zalm, Kreeft, Schelp, Golf, Zon, Maan
Ster, Regenboog, Wolk, Bron, Fontein, Brug, Poort, Sleutel, Schaar, Hamer, Aambeeld, Spijker, Passer, Weegschaal
Lantaarn, Kaars, Klok, Trommel, Viool, Pauw, Specht, Ekster, Merel, Kievit, Egel, Das, Otter, Bever, Haas, Kat
Hond, Ezel, Os, Stier, Ram, Bok, Geit, Pijl, Boog, Kroon, Ketel, Pan, Lepel, Vork, Druif, Appel, Peer, Kers
Braam, Framboos, Distel, Klaver, Varen, Notenboom, Kastanje, Wilg, Hoeve, Hofstede, Herberg, Waag, Sluis, Terp
`);
const NOUNS_WITH_HET = splitList(`
Anker, Hert, Paard, Lam, Schip, Kompas, Roer, Zeil, Wiel, Rad, Boek, Huis, Kasteel, Hof, Bos, Veld, Eiland, Oog
Hart, Zwaard, Schild, Hoefijzer, Spinnewiel, Vuur, Licht, Riet, Klavertje, Landgoed, Zand, Duin, Water, Atelier
`);
const SMALL_THINGS = splitList(`
Hoekje, Pleintje, Winkeltje, Huisje, Boompje, Poortje, Snoephuisje, Kwartiertje, Keukentje, Stoepje, Torentje
Molentje, Bruggetje, Straatje, Kransje, Zonnetje, Tafeltje, Schuurtje, Bakhuisje, Kruikje, Vonkje, Praethuis
Spijkertje, Kaarsje, Bontje, Lapje, Draadje, Penseeltje, Kwastje, Potje, Pannetje, Bloemetje, Steegje, Dijkje
`);

const SYLLABLE_STARTS = splitList(`
Nor, Vel, Tri, Axo, Lum, Ser, Kor, Bri, Zen, Dal, Mer, Quo, Fen, Ori, Pax, Syn, Tel, Vor, Alu, Cal, Dor, Eli
Fal, Gri, Hel, Ivo, Jor, Kal, Lor, Mon, Nex, Opt, Pro, Rav, Sal, Tav, Umb, Ver, Wel, Xan, Yor, Zil, Ard, Bel
`);
const SYLLABLE_MIDDLES = splitList(`
ta, vi, ne, lo, ri, mo, sa, du, ka, fi, no, le, ba, co, di, ge, li, ma, pe, ro, su, te, va, zo, a, i, o, ni
`);
const SYLLABLE_ENDS = splitList(`
nix, ra, via, don, tec, tis, lux, va, mis, rion, gen, land, quest, zo, bo, dis, fa, ga, las, mar, nt, pro, que
ris, sys, tra, vance, wick, xa, zen, dia, cor, bis, len, nova, plan, port, sol, tech, ware
`);
const ENGLISH_FIRST = splitList(`
Blue, Green, Bright, North, South, Clear, Silver, Open, Smart, Urban, Prime, True, Next, Deep, Fresh, Solid, Swift
Great, Iron, Golden, Quiet, Royal, Rapid, Red, Lean, Modern, Common, Little, Lucky, Hidden
`);
const ENGLISH_SECOND = splitList(`
Harbor, Field, Bridge, Stone, River, Forest, Wind, Wave, Peak, Valley, Garden, Lake, Mill, Compass, Anchor, Lantern
Orchard, Meadow, Beacon, Canvas, Circle, Engine, Factory, Kitchen, Loft, Studio, Works, Labs, Minds, Partners
`);

/** `De Gouden Korenaar`, `'t Blauwe Paard` */
export function houseName(random: Random): string {
  const adjective = random.pick(ADJECTIVES);
  if (random.chance(0.25)) {
    return `${random.chance(0.3) ? "'t" : "Het"} ${adjective} ${random.pick(NOUNS_WITH_HET)}`;
  }
  return `De ${adjective} ${random.pick(NOUNS_WITH_DE)}`;
}

/** `'t Hoekje` */
export function smallHouseName(random: Random): string {
  return `'t ${random.pick(SMALL_THINGS)}`;
}

/** `Norvitec`, `BlueHarbor`, `Bright Canvas`, `Kalmora 24` */
export function brandName(random: Random): string {
  if (random.chance(0.2)) {
    const joint = random.chance(0.3) ? "" : " ";
    return `${random.pick(ENGLISH_FIRST)}${joint}${random.pick(ENGLISH_SECOND)}`;
  }
  const middle = random.pick(SYLLABLE_MIDDLES);
  const second = random.chance(0.25) ? random.pick(SYLLABLE_MIDDLES) : "";
  const word = `${random.pick(SYLLABLE_STARTS)}${middle}${second}${random.pick(SYLLABLE_ENDS)}`;
  return random.chance(0.05) ? `${word} ${random.between(2, 365)}` : word;
}

/** A one-word name for a ship or a club. */
export function properName(random: Random): string {
  return random.chance(0.5)
    ? random.pick(NOUNS_WITH_DE)
    : random.pick(SYLLABLE_STARTS) + random.pick(SYLLABLE_ENDS);
}
