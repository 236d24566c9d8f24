/** How many people work at a company. */
import { type Static, Type } from "typebox";

const StaffCount = (description: string, example: number) =>
  Type.Optional(Type.Integer({ minimum: 0, description, examples: [example] }));

export const EmployeesSchema = Type.Object(
  {
    total: StaffCount("All who work at the company, owners included.", 12),
    fullTime: StaffCount("Those of them who work full time.", 9),
    partTime: StaffCount("Those of them who work part time.", 3),
  },
  {
    additionalProperties: false,
    minProperties: 1,
    $id: "Employees",
    title: "Employees",
    description:
      "People who work at the company, as far as the origin gives them; none is computed of the others.",
  },
);
export type Employees = Static<typeof EmployeesSchema>;
