import { Pagination } from "@mantine/core";
import { useLanguage } from "../language/language.tsx";

interface Props {
  readonly label: string;
  readonly total: number;
  readonly pageSize: number;
  readonly page: number;
  readonly onChange: (page: number) => void;
}

/** The page numbers of a list that has more than one page. */
export function Pages({ label, total, pageSize, page, onChange }: Props) {
  const { number } = useLanguage().formats;
  if (total <= pageSize) return null;
  return (
    <nav aria-label={label}>
      <Pagination
        total={Math.ceil(total / pageSize)}
        value={page}
        onChange={onChange}
        getItemProps={(item) => ({ "aria-label": number(item) })}
        withControls={false}
      />
    </nav>
  );
}
