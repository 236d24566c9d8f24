import { describe, expect, it } from "vitest";
import { factsOf, leftOutOf, profile, visiting, withAddress } from "../../test/kit/kvkProfile.ts";

const GEO = {
  addresseerbaarObjectId: "0363010000000001",
  nummerAanduidingId: "0363200000000001",
  gpsLatitude: 52.096162894974526,
  gpsLongitude: 5.113226043101587,
  rijksdriehoekX: 136225.65,
  rijksdriehoekY: 456469.782,
  rijksdriehoekZ: 0,
};
const location = { latitude: 52.096163, longitude: 5.113226 };
const bagId = "0363010000000001";
const LATITUDE = "hoofdvestiging.adressen[].geoData.gpsLatitude has an unexpected form";
const LONGITUDE = "hoofdvestiging.adressen[].geoData.gpsLongitude has an unexpected form";
const ID = "hoofdvestiging.adressen[].geoData.addresseerbaarObjectId has an unexpected form";

describe("geoData of an address", () => {
  it.each<[name: string, given: object, geo: object | undefined, ...reasons: string[]]>([
    ["all of it", {}, { location, bagId }],
    ["no id", { addresseerbaarObjectId: undefined }, { location }],
    ["an empty id", { addresseerbaarObjectId: "" }, { location }],
    ["null everywhere", { addresseerbaarObjectId: null, gpsLatitude: null, gpsLongitude: null }, undefined],
    ["an id alone", { gpsLatitude: undefined, gpsLongitude: undefined }, { bagId }],
    ["no longitude", { gpsLongitude: undefined }, { bagId }],
    ["0 and 0", { gpsLatitude: 0, gpsLongitude: 0.0 }, { bagId }],
    ["swapped degrees", { gpsLatitude: 5.11, gpsLongitude: 52.09 }, { bagId }, LATITUDE, LONGITUDE],
    ["a place abroad", { gpsLatitude: 48.85 }, { bagId }, LATITUDE],
    ["the Caribbean", { gpsLatitude: 12.15, gpsLongitude: -68.27 }, { bagId }, LATITUDE, LONGITUDE],
    ["metres of the national grid", { gpsLatitude: 456469.782 }, { bagId }, LATITUDE],
    ["degrees as text", { gpsLatitude: "52.09" }, { bagId }, LATITUDE],
    ["degrees in a list", { gpsLongitude: [5.11] }, { bagId }, LONGITUDE],
    ["the id of a number", { addresseerbaarObjectId: "0363200000000001" }, { location }, ID],
    ["an id of another length", { addresseerbaarObjectId: "363010000000001" }, { location }, ID],
    ["a word for an id", { addresseerbaarObjectId: "string" }, { location }, ID],
  ])("with %s is read as far as it can be right", (_name, given, geo, ...reasons) => {
    const answer = withAddress({ ...visiting, geoData: { ...GEO, ...given } });
    expect(factsOf(answer).address?.geo).toEqual(geo);
    expect(leftOutOf(answer).map((reason) => reason.replace("_embedded.", ""))).toEqual(reasons);
  });

  it.each([null, undefined, "52.09, 5.11", [GEO]])("of another form, %j, is left out", (geoData) => {
    expect(factsOf(withAddress({ ...visiting, geoData })).address).not.toHaveProperty("geo");
  });

  it("is that of the address that is shown, and none of a shielded address or a PO box", () => {
    const box = { ...profile._embedded.hoofdvestiging.adressen[0] };
    const located = { ...visiting, geoData: GEO };
    expect(factsOf(withAddress({ ...box, geoData: GEO }, { ...visiting })).address).not.toHaveProperty("geo");
    expect(factsOf(withAddress({ ...box, geoData: GEO })).address).not.toHaveProperty("geo");
    expect(factsOf(withAddress(box, located)).address).toHaveProperty("geo");
    for (const indAfgeschermd of ["Ja", "onbekend"]) {
      const { address } = factsOf(withAddress({ ...located, indAfgeschermd }));
      expect(address).toMatchObject({ isShielded: true });
      expect(address).not.toHaveProperty("geo");
    }
  });

  it("of the main branch is none when the list of branches shields that branch", () => {
    const vestigingsnummer = profile._embedded.hoofdvestiging.vestigingsnummer;
    const list = { vestigingen: [{ vestigingsnummer, indHoofdvestiging: "Ja", indAdresAfgeschermd: "Ja" }] };
    const { address, branches } = factsOf(withAddress({ ...visiting, geoData: GEO }), list);
    expect(JSON.stringify({ address, branches })).not.toContain("geo");
  });
});
