import { notFound } from "next/navigation";

/** An address without a page keeps the frame around it. */
export default function MissingPage(): never {
  notFound();
}
