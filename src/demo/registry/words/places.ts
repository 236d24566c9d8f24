/** The places of generated companies. Larger places get more companies; a postal code identifies its place. */
import { PLACE_TABLE } from "../../../company/places.ts";
import { splitList, weighted } from "../random.ts";

export interface DemoPlace {
  readonly name: string;
  /** The lowest and highest four digits of its postal codes. */
  readonly from: number;
  readonly to: number;
  /** Position in the table, unique to each place. */
  readonly index: number;
}

const ROWS = splitList(PLACE_TABLE).map((entry, index): readonly [DemoPlace, number] => {
  const [, name = "", from = "", to = "", inhabitants = ""] =
    /^(.+) (\d{4}) (\d{4}) (\d+)$/.exec(entry) ?? [];
  return [{ name, from: Number(from), to: Number(to), index }, Number(inhabitants)];
});

export const PLACES: readonly DemoPlace[] = ROWS.map(([place]) => place);
/** A list to pick from, in which each place occurs in proportion to its size. */
export const PLACES_BY_SIZE: readonly DemoPlace[] = weighted(ROWS);

const SETTLEMENT_STARTS = splitList(`
Ooster, Wester, Noorder, Zuider, Ouder, Nieuwer, Hoge, Lage, Koren, Linde, Berken, Elzen, Wilgen, Reiger, Meeuwen, Zwanen, IJzer
Molen, Kerk, Klooster, Schapen, Bijen, Riet, Veen, Duin, Zand, Klei, Gras, Rogge, Haver, Vlas, Turf
`);
const SETTLEMENT_ENDS = splitList(`
velde, woude, sluis, broek, dam, horst, hout, laar, lo, meer, rode, wijk, zijl, burg, kerke, oord, drecht, berge, mond
voorde, gouw, terp
`);

/**
 * Names of settlements that do not exist, for bodies of which a real place has exactly one (a municipality, a
 * water board, a parish), so that they cannot be mistaken for the real one.
 */
export const INVENTED_PLACES: readonly string[] = SETTLEMENT_STARTS.flatMap((start) =>
  SETTLEMENT_ENDS.map((end) => `${start}${end}`),
);
