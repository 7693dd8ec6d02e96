/** Connections of an embedded server, including those of commands, migrations and its supervisor. */
export const MAX_CONNECTIONS = 200;

/** Settings of every embedded server: loopback only, no socket file, small machine, clean tables. */
const COMMON = {
  listen_addresses: "127.0.0.1",
  unix_socket_directories: "",
  max_connections: String(MAX_CONNECTIONS),
  shared_buffers: "128MB",
  timezone: "UTC",
  log_timezone: "UTC",
  log_min_messages: "warning",
  log_checkpoints: "off",
  // Our statements take microseconds to milliseconds; compiling them would cost more.
  jit: "off",
  // Taken codes leave dead index entries behind; with the default of 0.2, scans become slow.
  autovacuum_vacuum_scale_factor: "0.02",
  autovacuum_analyze_scale_factor: "0.02",
};

/** An acknowledged commit is on the disk, even after a power cut. */
const DURABLE = { fsync: "on", synchronous_commit: "on", full_page_writes: "on" };

/** For a server of one test run. */
const TEMPORARY = {
  fsync: "off",
  synchronous_commit: "off",
  full_page_writes: "off",
  wal_level: "minimal",
  max_wal_senders: "0",
  max_wal_size: "4GB",
};

/** Command-line arguments for `postgres`. */
export function settingArguments(port: number, durable: boolean): string[] {
  const settings = { ...COMMON, ...(durable ? DURABLE : TEMPORARY), port: String(port) };
  return Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
}
