import type { Metadata } from "next";
import { notFound } from "next/navigation";

export const metadata: Metadata = { title: "Not found" };

/** Catches addresses without a page, so that the frame stays around the missing page. */
export default function MissingPage(): never {
  notFound();
}
