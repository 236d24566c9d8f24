import { Stack } from "@mantine/core";
import type { ReactNode } from "react";
import type { Failure } from "../api/failure.ts";
import { EmptyState } from "../components/EmptyState.tsx";
import type { IconName } from "../components/Icon.tsx";
import { Loaded } from "../components/Loaded.tsx";
import { Pages } from "../components/Pages.tsx";
import type { Query } from "./useQuery.ts";

interface Props<T> {
  readonly query: Query<T>;
  /** The approximate height of the list in pixels. */
  readonly height: number;
  readonly textOf?: (failure: Failure) => string | undefined;
  /** The accessible name of the page numbers. */
  readonly label: string;
  readonly page: number;
  readonly onPage: (page: number) => void;
  /** Shown instead of an empty list. */
  readonly icon: IconName;
  readonly none: ReactNode;
  readonly children: (value: T) => ReactNode;
}

/** A list that is loaded page by page. */
export function Paged<T extends { readonly total: number; readonly pageSize: number }>(props: Props<T>) {
  const { label, page, onPage, icon, none, children, ...loaded } = props;
  return (
    <Loaded {...loaded}>
      {(value) =>
        value.total === 0 ? (
          <EmptyState icon={icon}>{none}</EmptyState>
        ) : (
          <Stack gap="md">
            {children(value)}
            <Pages
              label={label}
              total={value.total}
              pageSize={value.pageSize}
              page={page}
              onChange={onPage}
            />
          </Stack>
        )
      }
    </Loaded>
  );
}
