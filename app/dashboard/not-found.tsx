import type { Metadata } from "next";

export { MissingInDashboard as default } from "@/components/shell/page-states";

export const metadata: Metadata = { title: "Not found" };
