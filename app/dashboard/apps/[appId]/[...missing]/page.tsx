import type { Metadata } from "next";
import { notFound } from "next/navigation";

export const metadata: Metadata = { title: "Not found" };

/** An address without a page keeps the frame around it. */
export default function MissingPage(): never {
  notFound();
}
