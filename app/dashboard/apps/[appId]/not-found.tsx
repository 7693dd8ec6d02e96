import type { Metadata } from "next";

export { MissingInFrame as default } from "@/components/shell/page-states";

export const metadata: Metadata = { title: "Not found" };
