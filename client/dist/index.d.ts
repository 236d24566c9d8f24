/** `@opzoek/client`: the typed client of the service. */
export type * from "./api/calls.js";
export type * from "./api/resources.js";
