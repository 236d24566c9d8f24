/** The routes of the service as a closed list, for metrics by route. */
import { ACCOUNT_ROUTES } from "./account/routes/all.ts";
import { ENDPOINTS } from "./endpoints/all.ts";
import { MCP_PATH } from "./mcp/route.ts";
import { LIVE_PATH, READY_PATH } from "./probes.ts";

/** No route: an unknown or undecodable path. */
export const NO_ROUTE = "-";
/** Any built file of the page; file names change with each build. */
export const PAGE_FILE = "file";
/** The route that answers OPTIONS for every path. */
const PREFLIGHT = "*";

/** Patterns of routes that need a key. */
export const KEYED_ROUTES: readonly string[] = [
  ...ENDPOINTS.filter(({ auth }) => auth === "key").map(({ path }) => path),
  MCP_PATH,
];

/** Every route pattern once, as the log shows it, with one label for all files of the page. */
export const ROUTE_LABELS: readonly string[] = [
  ...new Set([
    ...ENDPOINTS.map(({ path }) => path),
    MCP_PATH,
    "/v1/openapi.json",
    LIVE_PATH,
    READY_PATH,
    "/docs",
    "/docs/",
    "/",
    ...ACCOUNT_ROUTES.map(({ path }) => path),
    PREFLIGHT,
    PAGE_FILE,
    NO_ROUTE,
  ]),
];
