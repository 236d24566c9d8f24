/** The manifest of the reconciliation service: its features and their addresses. */
import { Type } from "typebox";
import type { OpenEndpoint } from "../endpoint.ts";
import { KEY_PARAMETER } from "../input/read.ts";
import { PREVIEW_PATH, PREVIEW_SIZE } from "./preview.ts";
import { COMPANY_TYPE, RECONCILE_PATH, SPECIFIED } from "./properties.ts";
import { reconcileByUrl } from "./reconcile.ts";
import { proposeProperties, suggestEntity, suggestProperty, suggestType } from "./suggest.ts";

/** The list of KVK numbers, as org-id.guide names it: the same in every reconciliation service for these numbers. */
const IDENTIFIER_SPACE = "http://org-id.guide/list/NL-KVK";

/** The register's own public page of a company. Pages of this service need a key. */
const VIEW_URL = "https://www.kvk.nl/bestellen/#/{{id}}";

export const manifest: OpenEndpoint = {
  method: "GET",
  path: RECONCILE_PATH,
  ...SPECIFIED,
  summary: "Describe the reconciliation service",
  description:
    "The manifest of a service by the Reconciliation Service API 0.2, for OpenRefine and other clients (free, without a key). With `?apikey=` its addresses of suggestions and previews contain the key. A call with `?queries=` or `?extend=` is answered like a POST and needs a key.",
  schema: { response: Type.Unknown() },
  auth: "none",
  keyed: reconcileByUrl,
  handler: async (_services, { key, serviceUrl }) => {
    const withKey = (path: string, separator: "?" | "&") =>
      key === undefined ? path : `${path}${separator}${KEY_PARAMETER}=${encodeURIComponent(key)}`;
    const suggestAt = (path: string) => ({ service_url: serviceUrl, service_path: withKey(path, "?") });
    return {
      status: 200,
      body: {
        versions: ["0.2"],
        name: "Opzoek: the Dutch company registry",
        identifierSpace: IDENTIFIER_SPACE,
        schemaSpace: `${serviceUrl}${RECONCILE_PATH}`,
        documentation: `${serviceUrl}/docs/`,
        defaultTypes: [COMPANY_TYPE],
        view: { url: VIEW_URL },
        preview: { url: withKey(`${serviceUrl}${PREVIEW_PATH}?id={{id}}`, "&"), ...PREVIEW_SIZE },
        suggest: {
          entity: suggestAt(suggestEntity.path),
          property: suggestAt(suggestProperty.path),
          type: suggestAt(suggestType.path),
        },
        extend: {
          propose_properties: { service_url: serviceUrl, service_path: proposeProperties.path },
          property_settings: [],
        },
      },
    };
  },
};
