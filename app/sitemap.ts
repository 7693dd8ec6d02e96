import type { MetadataRoute } from "next";
import { env } from "@/lib/platform/env";
import { docsLibrary } from "@/lib/web/docs/library";

export const dynamic = "force-dynamic";

export default function sitemap(): MetadataRoute.Sitemap {
  const pages = ["/", "/docs", ...docsLibrary().pages.map(({ href }) => href)];
  return pages.map((path) => ({ url: `${env().APP_URL}${path}` }));
}
