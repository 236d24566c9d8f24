import { type OpenSessions, OpenSessionsSchema } from "../../../contract/accountResources.ts";
import { type AccountRoute, forSignedIn } from "../route.ts";
import { IdParams } from "./fields.ts";

/** The sessions of who is signed in. */
export const sessionRoutes: readonly AccountRoute[] = [
  forSignedIn({
    method: "GET",
    path: "/account/sessions",
    status: 200,
    schema: { response: OpenSessionsSchema },
    handler: async (_input, { account, signedIn: { session: own } }): Promise<OpenSessions> => {
      const all = await account.sessions.list(own.accountId);
      const sessions = all.map(({ id, createdAtMs, lastSeenAtMs, endsAtMs, client }) => ({
        id,
        createdAt: new Date(createdAtMs).toISOString(),
        lastSeenAt: new Date(lastSeenAtMs).toISOString(),
        endsAt: new Date(endsAtMs).toISOString(),
        ...(client !== undefined && { client }),
        isThis: id === own.id,
      }));
      return { sessions };
    },
  }),

  forSignedIn({
    method: "DELETE",
    path: "/account/sessions/:id",
    status: 204,
    schema: { params: IdParams },
    handler: async ({ params }, visit) => {
      const { session } = visit.signedIn;
      await visit.account.sessions.end(session.accountId, params.id);
      if (params.id === session.id) visit.signOut();
    },
  }),
];
