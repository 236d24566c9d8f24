import { Center, Loader } from "@mantine/core";
import { useQuery } from "../../queries/useQuery.ts";

const SIZE = 208;

interface Props {
  readonly label: string;
  readonly text: string;
}

/**
 * A QR code, drawn in the browser so that the text is sent nowhere. If the library cannot be loaded, there is no
 * picture.
 */
export function QrCode({ label, text }: Props) {
  const squares = useQuery(async () => (await import("qr")).encodeQR(text, "raw", { ecc: "medium" }), text);
  const { now } = squares;
  if (now.state === "failed") return null;
  if (now.state === "loading") {
    return (
      <Center h={SIZE}>
        <Loader />
      </Center>
    );
  }
  const rows = now.value;
  const path = rows
    .flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : "")))
    .join("");
  return (
    <Center>
      <svg
        role="img"
        aria-label={label}
        width={SIZE}
        height={SIZE}
        viewBox={`0 0 ${rows.length} ${rows.length}`}
        shapeRendering="crispEdges"
      >
        {/* Dark on light in both colour schemes: not every camera reads the reverse. */}
        <rect width={rows.length} height={rows.length} fill="#fff" />
        <path d={path} fill="#000" />
      </svg>
    </Center>
  );
}
