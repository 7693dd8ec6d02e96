interface RouteContext {
  params: Promise<Record<string, string>>;
}

type Answer = Response | Promise<Response>;

/** A route module's handler, exactly as the App Router calls it. */
export type Handler = (request: Request, context: RouteContext) => Answer;

/** The methods a route module may export; written as methods, so that a module may name its parameters. */
export interface RouteModule {
  GET?(request: Request, context: RouteContext): Answer;
  HEAD?(request: Request, context: RouteContext): Answer;
  OPTIONS?(request: Request, context: RouteContext): Answer;
  POST?(request: Request, context: RouteContext): Answer;
  PUT?(request: Request, context: RouteContext): Answer;
  PATCH?(request: Request, context: RouteContext): Answer;
  DELETE?(request: Request, context: RouteContext): Answer;
}

/** One mounted route; `path` is written as its folder, for example `/api/webhooks/[id]`. */
interface Route {
  path: string;
  module: RouteModule;
}

export interface Match {
  module: RouteModule;
  params: Promise<Record<string, string>>;
}

/** Look-ups by path, still percent-encoded, with or without a slash at the end. */
export interface Table {
  /** Routes without parameters only, in one hash access: a hit is a sound target by itself. */
  fixed: (url: string) => Match | undefined;
  find: (path: string) => Match | undefined;
}

interface Pattern extends Route {
  segments: string[];
}

const NO_PARAMS = Promise.resolve({});

function fill(pattern: Pattern, parts: string[]): Record<string, string> | undefined {
  if (pattern.segments.length !== parts.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, segment] of pattern.segments.entries()) {
    const part = parts[index] ?? "";
    if (!segment.startsWith("[")) {
      if (segment !== part) return undefined;
      continue;
    }
    if (part === "") return undefined;
    params[segment.slice(1, -1)] = decodeURIComponent(part);
  }
  return params;
}

/** Compiles routes: one hash access for fixed paths, a walk over the patterns. */
export function routeTable(routes: Route[]): Table {
  const fixed = new Map<string, Match>();
  const patterns: Pattern[] = [];
  for (const { path, module } of routes) {
    if (path.includes("[")) patterns.push({ path, module, segments: path.split("/") });
    else for (const form of [path, `${path}/`]) fixed.set(form, { module, params: NO_PARAMS });
  }
  const find = (path: string) => {
    const match = fixed.get(path);
    if (match) return match;
    const parts = path.replace(/\/$/, "").split("/");
    for (const pattern of patterns) {
      const params = fill(pattern, parts);
      if (params) return { module: pattern.module, params: Promise.resolve(params) };
    }
    return undefined;
  };
  return { fixed: (url) => fixed.get(url), find };
}
