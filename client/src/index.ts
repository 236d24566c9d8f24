/** `@opzoek/client`: the typed client of the service. */
export type * from "./api/calls.ts";
export type * from "./api/resources.ts";
