/** Verifying a webhook message, tested with the signatures of the Standard Webhooks library. */
import { Webhook } from "standardwebhooks";
import { describe, expect, it } from "vitest";
import { OpzoekError } from "../../client/src/index.ts";
import { verifyWebhook, type WebhookHeaders, WebhookVerificationError } from "../../client/src/jobs/index.ts";

const secretOf = (byte: number) => `whsec_${Buffer.alloc(32, byte).toString("base64")}`;
const [OLD, NEW, OTHER] = [secretOf(1), secretOf(2), secretOf(3)];
const nowMs = Date.UTC(2026, 10, 23, 12);
const BODY = JSON.stringify({ type: "job.completed", data: { id: "job_1", name: "één" } });

function signed(secrets: readonly string[], body = BODY, atMs = nowMs): Record<string, string> {
  const signatures = secrets.map((secret) => new Webhook(secret).sign("msg_1", new Date(atMs), body));
  return {
    "webhook-id": "msg_1",
    "webhook-timestamp": String(atMs / 1_000),
    "webhook-signature": signatures.join(" "),
  };
}

const verify = (headers: WebhookHeaders, secrets: string | readonly string[] = OLD, body: string = BODY) =>
  verifyWebhook(body, headers, secrets, { nowMs });

describe("a webhook message", () => {
  it("is accepted if signed by the secret, from headers of every kind, as text or bytes", async () => {
    const expected = { messageId: "msg_1", type: "job.completed", data: { id: "job_1", name: "één" } };
    expect(await verify(signed([OLD]))).toEqual(expected);
    expect(await verify(new Headers(signed([OLD])))).toEqual(expected);
    const bytes = new TextEncoder().encode(BODY);
    expect(await verifyWebhook(bytes, signed([OLD]), OLD, { nowMs })).toEqual(expected);
  });

  it("is accepted during a secret rollover, whichever side has both secrets", async () => {
    await verify(signed([NEW, OLD]), OLD);
    await verify(signed([NEW, OLD]), NEW);
    await verify(signed([OLD]), [NEW, OLD]);
    await verify({
      ...signed([OLD]),
      "webhook-signature": `v1a,x v2,y ${signed([OLD])["webhook-signature"]}`,
    });
  });

  it.each<[string, WebhookHeaders, string?]>([
    ["of another secret", signed([OTHER])],
    ["of another body", signed([OLD]), `${BODY} `],
    ["of another id", { ...signed([OLD]), "webhook-id": "msg_2" }],
    ["of another time", { ...signed([OLD]), "webhook-timestamp": String(nowMs / 1_000 + 1) }],
    ["with an old timestamp", signed([OLD], BODY, nowMs - 301_000)],
    ["with a future timestamp", signed([OLD], BODY, nowMs + 301_000)],
    ["with an invalid timestamp", { ...signed([OLD]), "webhook-timestamp": "NaN" }],
    ["without a signature", { ...signed([OLD]), "webhook-signature": "" }],
    ["with half a signature", { ...signed([OLD]), "webhook-signature": "v1,AAAA" }],
    ["with a signature that is not base64", { ...signed([OLD]), "webhook-signature": "v1,%" }],
    ["with two ids", { ...signed([OLD]), "webhook-id": ["msg_1", "msg_2"] }],
    ["without headers", {}],
  ])("is refused: %s", async (_, headers, body) => {
    const error: unknown = await verify(headers, OLD, body).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(WebhookVerificationError);
    expect(error).toBeInstanceOf(OpzoekError);
    expect(error).toMatchObject({ name: "WebhookVerificationError", code: "WEBHOOK_VERIFICATION" });
  });

  it("is accepted for five minutes, or at any age if allowed", async () => {
    await verify(signed([OLD], BODY, nowMs - 300_000));
    const late = signed([OLD], BODY, nowMs - 3_600_000);
    expect(await verifyWebhook(BODY, late, OLD, { nowMs, toleranceSeconds: 3_600 })).toBeDefined();
  });

  it("is not verified with an invalid secret, which the error does not repeat", async () => {
    for (const secret of ["", "whsec_", "whsec_not base64!"]) {
      const refused = verify(signed([OLD]), secret);
      await expect(refused).rejects.toThrow(TypeError);
      await expect(refused).rejects.not.toThrow(/not base64/);
    }
    await expect(verify(signed([OLD]), [])).rejects.toBeInstanceOf(WebhookVerificationError);
  });
});
