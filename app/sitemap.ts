import type { MetadataRoute } from "next";
import { docsLibrary } from "@/lib/docs/library";
import { env } from "@/lib/env";

export const dynamic = "force-dynamic";

export default function sitemap(): MetadataRoute.Sitemap {
  const pages = ["/", "/docs", ...docsLibrary().pages.map(({ href }) => href)];
  return pages.map((path) => ({ url: `${env().APP_URL}${path}` }));
}
