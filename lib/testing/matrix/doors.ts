import { join } from "node:path";
import { projectFiles, type SourceFile } from "@/lib/testing/rules/tree";
import type { AccessRule } from "@/lib/web/session/access";

const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"];
const ACTIONS = /^app\/(.*\/)?actions\.ts$/;
const ROUTES = /^app\/dashboard\/(.*\/)?route\.ts$/;

type Made = (first: unknown, second: unknown) => Promise<unknown>;

/** A way into the dashboard: a server action, or a method of a route. */
export interface Door {
  /** `file#export`. */
  name: string;
  path: string;
  /** The route's method; absent for an action. */
  method: string | undefined;
  /** Absent for a function that no frame made. */
  access: AccessRule | undefined;
  open: Made;
}

/** The doors of a module. */
export function doorsOf(path: string, exported: Record<string, unknown>): Door[] {
  const route = ROUTES.test(path);
  const names = Object.keys(exported).filter(
    (name) => typeof exported[name] === "function" && (!route || METHODS.includes(name)),
  );
  return names.map((name) => {
    const open = exported[name] as Made & { access?: AccessRule };
    return { name: `${path}#${name}`, path, method: route ? name : undefined, access: open.access, open };
  });
}

/** Every door of the project, found in its files. */
export async function findDoors(files = projectFiles()): Promise<Door[]> {
  const modules = files.map(({ path }) => path).filter((path) => ACTIONS.test(path) || ROUTES.test(path));
  const doors = modules.sort().map(async (path) => {
    const exported = await import(/* @vite-ignore */ join(process.cwd(), path));
    return doorsOf(path, exported);
  });
  return (await Promise.all(doors)).flat();
}

/** Files with server actions in places where {@link findDoors} does not look. */
export function hiddenActions(files: SourceFile[] = projectFiles()): string[] {
  return files
    .filter(({ path, text }) => /\.tsx?$/.test(path) && /^\s*["']use server["']/m.test(text))
    .map(({ path }) => path)
    .filter((path) => !ACTIONS.test(path) && !path.endsWith(".test.ts"));
}
