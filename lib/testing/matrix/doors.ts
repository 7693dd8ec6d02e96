import { join } from "node:path";
import type { Needs } from "@/lib/session/needs";
import { projectFiles, type SourceFile } from "@/lib/testing/rules/tree";

const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"];
const ACTIONS = /^app\/(.*\/)?actions\.ts$/;
const ROUTES = /^app\/dashboard\/(.*\/)?route\.ts$/;

type Made = (first: unknown, second: unknown) => Promise<unknown>;

/** A way into the service for people: a server action, or a method of a route of the dashboard. */
export interface Door {
  /** `file#export`. */
  name: string;
  path: string;
  /** The route's method; absent for an action. */
  method: string | undefined;
  /** Absent for one that no frame made. */
  needs: Needs | undefined;
  open: Made;
}

/** What a module lets people do. */
export function doorsOf(path: string, exported: Record<string, unknown>): Door[] {
  const route = ROUTES.test(path);
  const names = Object.keys(exported).filter(
    (name) => typeof exported[name] === "function" && (!route || METHODS.includes(name)),
  );
  return names.map((name) => {
    const open = exported[name] as Made & { needs?: Needs };
    return { name: `${path}#${name}`, path, method: route ? name : undefined, needs: open.needs, open };
  });
}

/** Every door of the project, from the files as they are. */
export async function findDoors(files = projectFiles()): Promise<Door[]> {
  const modules = files.map(({ path }) => path).filter((path) => ACTIONS.test(path) || ROUTES.test(path));
  const doors = modules.sort().map(async (path) => {
    const exported = await import(/* @vite-ignore */ join(process.cwd(), path));
    return doorsOf(path, exported);
  });
  return (await Promise.all(doors)).flat();
}

/** Files with server actions in another place, where {@link findDoors} would not find them. */
export function hiddenActions(files: SourceFile[] = projectFiles()): string[] {
  return files
    .filter(({ path, text }) => /\.tsx?$/.test(path) && /^\s*["']use server["']/m.test(text))
    .map(({ path }) => path)
    .filter((path) => !ACTIONS.test(path) && !path.endsWith(".test.ts"));
}
