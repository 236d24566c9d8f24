import type { AccountRoute } from "../route.ts";
import { accountRoutes } from "./adminAccount.ts";
import { accountsRoutes } from "./adminAccounts.ts";
import { auditRoutes } from "./adminAudit.ts";
import { linkRoutes } from "./adminLinks.ts";
import { serviceRoutes } from "./adminService.ts";
import { allowanceMailRoutes } from "./allowanceMails.ts";
import { callRoutes } from "./calls.ts";
import { emailRoutes } from "./email.ts";
import { exportRoutes } from "./export.ts";
import { keyRoutes } from "./keys.ts";
import { passwordRoutes } from "./password.ts";
import { planRoutes } from "./plans.ts";
import { publicRoutes } from "./public.ts";
import { sessionRoutes } from "./sessions.ts";
import { signRoutes } from "./sign.ts";
import { tryRoutes } from "./try.ts";
import { twoFactorRoutes } from "./twoFactor.ts";
import { usageRoutes } from "./usage.ts";
import { usageRangeRoutes } from "./usageRange.ts";

/** Every route of the account page. */
export const ACCOUNT_ROUTES: readonly AccountRoute[] = [
  ...publicRoutes,
  ...signRoutes,
  ...passwordRoutes,
  ...twoFactorRoutes,
  ...emailRoutes,
  ...allowanceMailRoutes,
  ...exportRoutes,
  ...sessionRoutes,
  ...keyRoutes,
  ...tryRoutes,
  ...callRoutes,
  ...usageRoutes,
  ...usageRangeRoutes,
  ...planRoutes,
  ...accountsRoutes,
  ...accountRoutes,
  ...linkRoutes,
  ...auditRoutes,
  ...serviceRoutes,
];
