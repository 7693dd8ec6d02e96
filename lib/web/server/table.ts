import { METHOD_NAME_ALL } from "hono/router";
import { RegExpRouter } from "hono/router/reg-exp-router";

interface RouteContext {
  params: Promise<Record<string, string>>;
  /** The path as it is mounted; Next passes none. */
  route?: string;
}

type MaybePromise<Value> = Value | Promise<Value>;

/** A route module's handler, as the App Router calls it. */
export type ModuleHandler = (request: Request, context: RouteContext) => MaybePromise<Response>;

/** The methods that a route module may export; written as methods, so that a module may name its parameters. */
export interface RouteModule {
  GET?(request: Request, context: RouteContext): MaybePromise<Response>;
  HEAD?(request: Request, context: RouteContext): MaybePromise<Response>;
  OPTIONS?(request: Request, context: RouteContext): MaybePromise<Response>;
  POST?(request: Request, context: RouteContext): MaybePromise<Response>;
  PUT?(request: Request, context: RouteContext): MaybePromise<Response>;
  PATCH?(request: Request, context: RouteContext): MaybePromise<Response>;
  DELETE?(request: Request, context: RouteContext): MaybePromise<Response>;
}

/** One mounted route; `path` is written like its folder, such as `/api/webhooks/[id]`, or as `/docs/[...page].md`. */
interface Route {
  path: string;
  module: RouteModule;
}

export interface RouteMatch {
  /** The path as it is mounted. */
  path?: string;
  module: RouteModule;
  params: Promise<Record<string, string>>;
}

/** Finds routes by path, which is still percent-encoded and may end in a slash. */
export interface RouteTable {
  /** Routes without parameters, found by one hash look-up: a hit needs no further check of the request target. */
  fixed: (url: string) => RouteMatch | undefined;
  find: (path: string) => RouteMatch | undefined;
}

const NO_PARAMS = Promise.resolve({});

/** Compiles routes: a hash for fixed paths, hono's router for those with parameters. */
export function createRouteTable(routes: Route[]): RouteTable {
  const fixed = new Map<string, RouteMatch>();
  const router = new RegExpRouter<Route>();
  for (const { path, module } of routes) {
    if (path.includes("[")) router.add(METHOD_NAME_ALL, patternOf(path), { path, module });
    else for (const form of [path, `${path}/`]) fixed.set(form, { path, module, params: NO_PARAMS });
  }
  // The router throws if it has no routes.
  const none = !routes.some(({ path }) => path.includes("["));
  const find = (path: string) =>
    fixed.get(path) ?? (none ? undefined : findWithParams(router, path.replace(/\/$/, "")));
  return { fixed: (url) => fixed.get(url), find };
}

/** A path as the router writes it. A parameter with dots matches slashes and includes the ending. */
function patternOf(path: string): string {
  return path.replace(/\[\.{3}(\w+)\]\.(\w+)/g, ":$1{.+\\.$2}").replace(/\[(\w+)\]/g, ":$1");
}

function findWithParams(router: RegExpRouter<Route>, path: string): RouteMatch | undefined {
  const [hits, stash = []] = router.match(METHOD_NAME_ALL, path);
  const [hit] = hits;
  if (!hit) return undefined;
  const [route, places] = hit;
  const params: Record<string, string> = {};
  for (const [name, place] of Object.entries(places))
    params[name] = decodeURIComponent(stash[Number(place)] ?? "");
  return { ...route, params: Promise.resolve(params) };
}
