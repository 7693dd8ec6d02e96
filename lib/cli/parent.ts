const LOOK_EVERY = 100;

/**
 * Ends this process when the package manager that runs it is gone. npm passes SIGTERM and Ctrl-C on, but its own
 * `kill -9` would leave the service behind, with the port and the data folder that the next start needs.
 */
export function endWithPackageManager(): void {
  const parent = process.ppid;
  if (!process.env.npm_lifecycle_event || parent <= 1) return;
  setInterval(() => {
    if (process.ppid !== parent) process.exit(1);
  }, LOOK_EVERY).unref();
}
