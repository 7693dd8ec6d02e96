import { type Match, type Route, routeTable } from "@/lib/server/table";

/** The App Router modules that the server mounts in front of the framework: one line a route. */
const routes: Route[] = [];

export const table = routeTable(routes);

/** Answers what no line above does below /api. */
export const unknown: Match | undefined = undefined;
