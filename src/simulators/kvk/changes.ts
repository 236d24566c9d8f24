import type { JsonObject } from "../../lib/values.ts";
import { objectOf, objectsOf } from "./json.ts";
import type { Wire } from "./profiles.ts";

/** A PO box comes before the visiting address. */
export function withBox(wire: Wire): Wire {
  return withMain(wire, (main) => ({
    ...main,
    adressen: [
      {
        type: "correspondentieadres",
        indAfgeschermd: "Nee",
        volledigAdres: "Postbus 200                         9990AE Nergenshuizen",
        straatnaam: "Postbus",
        postcode: "9990AE",
        postbusnummer: 200,
        plaats: "Nergenshuizen",
        land: "Nederland",
      },
      ...objectsOf(main["adressen"]),
    ],
  }));
}

/** Other fields in the profile. */
export function withProfile(wire: Wire, more: JsonObject): Wire {
  return { ...wire, basisprofiel: { ...wire.basisprofiel, ...more } };
}

/** Other fields of the owner. */
export function withOwner(wire: Wire, more: JsonObject): Wire {
  const embedded = objectOf(wire.basisprofiel["_embedded"]);
  return withProfile(wire, {
    _embedded: { ...embedded, eigenaar: { ...objectOf(embedded["eigenaar"]), ...more } },
  });
}

/** Changes the main branch, in the company's profile and in its own. */
export function withMain(wire: Wire, change: (main: JsonObject) => JsonObject): Wire {
  const embedded = objectOf(wire.basisprofiel["_embedded"]);
  const hoofdvestiging = change(objectOf(embedded["hoofdvestiging"]));
  const number = String(hoofdvestiging["vestigingsnummer"]);
  const own = wire.vestigingsprofielen[number];
  const { adressen } = hoofdvestiging;
  return {
    ...withProfile(wire, { _embedded: { ...embedded, hoofdvestiging } }),
    vestigingsprofielen: {
      ...wire.vestigingsprofielen,
      ...(own !== undefined && { [number]: { ...own, adressen } }),
    },
  };
}

/** Changes the rows of the list of branches. */
export function withRows(wire: Wire, change: (row: JsonObject, index: number) => JsonObject): Wire {
  const { vestigingen = {} } = wire;
  return {
    ...wire,
    vestigingen: { ...vestigingen, vestigingen: objectsOf(vestigingen["vestigingen"]).map(change) },
  };
}
