/** How many people work at a company. */
import { type Static, Type } from "typebox";
import { count, resource } from "./fields.ts";

export const EmployeesSchema = resource(
  "Employees",
  "People who work at the company, as far as the origin has them; no count is derived from the others.",
  {
    total: Type.Optional(count("Everyone who works at the company, owners included.", 12)),
    fullTime: Type.Optional(count("Of these, those who work full time.", 9)),
    partTime: Type.Optional(count("Of these, those who work part time.", 3)),
  },
  { minProperties: 1 },
);
export type Employees = Static<typeof EmployeesSchema>;
