import type { AccountRoute } from "../route.ts";
import { accountRoutes } from "./adminAccount.ts";
import { accountsRoutes } from "./adminAccounts.ts";
import { serviceRoutes } from "./adminService.ts";
import { callRoutes } from "./calls.ts";
import { exportRoutes } from "./export.ts";
import { keyRoutes } from "./keys.ts";
import { monitorRoutes } from "./monitors.ts";
import { publicRoutes } from "./public.ts";
import { settingsRoutes } from "./settings.ts";
import { signRoutes } from "./sign.ts";
import { tryRoutes } from "./try.ts";
import { usageRoutes } from "./usage.ts";

/** Every route of the account page. */
export const ACCOUNT_ROUTES: readonly AccountRoute[] = [
  ...publicRoutes,
  ...signRoutes,
  ...settingsRoutes,
  ...exportRoutes,
  ...keyRoutes,
  ...tryRoutes,
  ...callRoutes,
  ...usageRoutes,
  ...monitorRoutes,
  ...accountsRoutes,
  ...accountRoutes,
  ...serviceRoutes,
];
