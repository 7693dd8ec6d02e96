/**
 * The entry of a version in the changelog: its heading and all until the next one. Throws a one-line error when there is
 * none, because operators read it before they upgrade.
 */
export function changelogEntry(changelog: string, version: string): string {
  const entries = changelog.split(/^(?=## )/m);
  const found = entries.find((entry) => /^## v?(\S+)/.exec(entry)?.[1] === version);
  if (!found) throw new Error(`CHANGELOG.md has no entry for version ${version}: add "## ${version}"`);
  return `${found.trim()}\n`;
}
