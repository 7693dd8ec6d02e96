export const dynamic = "force-dynamic";

/** The least that a page rendered per request can do. */
export default function Page() {
  return <p>Empty</p>;
}
