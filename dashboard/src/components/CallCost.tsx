import type { Cost } from "../api/publicApi.ts";
import { bilingual } from "../language/bilingual.ts";
import { useLanguage, useTexts } from "../language/language.tsx";
import { MutedText } from "./MutedText.ts";

const texts = bilingual({
  none: ["This cost nothing.", "Dit kostte niets."],
  one: ["This cost 1 token.", "Dit kostte 1 token."],
  many: (count: string) => [`This cost ${count} tokens.`, `Dit kostte ${count} tokens.`],
  left: (count: string) => [
    `${count} left this month.`,
    `Deze maand nog ${count} ${count === "1" ? "token" : "tokens"}.`,
  ],
});

export function CallCost({ cost }: { readonly cost: Cost }) {
  const t = useTexts(texts);
  const { number } = useLanguage().formats;
  const { charged, remaining } = cost;
  return (
    <MutedText role="status" data-testid="spent">
      {charged === 0 ? t.none : charged === 1 ? t.one : t.many(number(charged))}{" "}
      {remaining === undefined ? null : t.left(number(remaining))}
    </MutedText>
  );
}
