import type { Metadata } from "next";
import { Dead } from "@/components/site/dead";

export const metadata: Metadata = { title: "Not found" };

export default function NotFound() {
  return (
    <Dead title="There is nothing here" href="/" link="Go to the front page">
      The address may be mistyped, or what was here is gone.
    </Dead>
  );
}
