import { Download } from "lucide-react";
import { buttonClass } from "./button";
import { listHref } from "./pager";

interface Props {
  path: string;
  query: Record<string, string | undefined>;
}

/** Downloads the whole filtered list. A plain anchor, because the response is a file, not a page. */
export function CsvLink({ path, query }: Props) {
  return (
    <a
      href={listHref(`${path}/export`, { ...query, cursor: undefined })}
      download
      className={buttonClass({ variant: "secondary" })}
    >
      <Download className="size-4" aria-hidden />
      Export CSV
    </a>
  );
}
