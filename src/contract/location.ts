import { type Static, Type } from "typebox";
import { resource, textOfForm } from "./fields.ts";

/** Degrees of latitude and longitude between which the European Netherlands lies: the BAG covers no other part. */
export const BOUNDS = {
  latitude: { minimum: 50.5, maximum: 53.8 },
  longitude: { minimum: 3.1, maximum: 7.4 },
} as const;

export const LocationSchema = resource(
  "Location",
  "Where an address is, in degrees of WGS84 with six decimals (0.1 m).",
  {
    latitude: Type.Number({ ...BOUNDS.latitude, description: "Degrees north.", examples: [52.373095] }),
    longitude: Type.Number({ ...BOUNDS.longitude, description: "Degrees east.", examples: [4.892842] }),
  },
);
export type Location = Static<typeof LocationSchema>;

/** A municipality, the kind of object (dwelling or other unit, berth, stand), and a serial number. */
export const BAG_ID_PATTERN = "^[0-9]{4}0[123][0-9]{10}$";

/** Of the address of a company or branch. */
export const placeFields = {
  location: Type.Optional(Type.Unsafe<Location>({ $ref: "Location#" })),
  bagId: Type.Optional(
    textOfForm(
      BAG_ID_PATTERN,
      "The addressable object in the BAG, the Dutch register of addresses and buildings: sixteen digits as text.",
      "0363010000000001",
    ),
  ),
};
