/** The least that a route handler can do. */
export function GET() {
  return Response.json({ ok: true });
}
