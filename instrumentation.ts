/** Called once by the framework in each of its processes; under plain `next start` nothing else starts this. */
export async function register(): Promise<void> {
  // biome-ignore lint/style/noProcessEnv: the framework's own variable, replaced when it builds
  if (process.env.NEXT_RUNTIME !== "nodejs") return;
  const { startBackground } = await import("@/lib/web/background/start");
  startBackground();
}

/** Called by the framework with every error of a page, before it answers. */
export async function onRequestError(error: unknown): Promise<void> {
  // biome-ignore lint/style/noProcessEnv: as above
  if (process.env.NEXT_RUNTIME !== "nodejs") return;
  const { noteRenderError } = await import("@/lib/web/http/action-run");
  noteRenderError(error);
}
