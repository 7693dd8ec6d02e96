import type { Metadata } from "next";
import { Dead } from "@/components/site/dead";

export const metadata: Metadata = { title: "Not found" };

export default function NotFound() {
  return (
    <Dead title="There is nothing here" href="/dashboard" link="Go to your apps" as="div">
      The address may be mistyped, what was here is gone, or it belongs to a workspace you are not in.
    </Dead>
  );
}
