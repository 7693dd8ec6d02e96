/** Port of a program on this machine, or the address of one. */
type Port = number;

/** One PostgreSQL node: the server, the pooler beside it and Patroni's address. */
export interface NodePorts {
  postgres: Port;
  pooler: Port;
  rest: Port;
}

/** Replaces each text everywhere. Throws when a file no longer contains it, because the drill would then run something else. */
function fill(text: string, values: [from: string, to: string][]): string {
  return values.reduce((filled, [from, to]) => {
    if (!filled.includes(from)) throw new Error(`deploy/ no longer contains: ${from}`);
    return filled.replaceAll(from, to);
  }, text);
}

const local = (port: Port) => `127.0.0.1:${port}`;

interface HaproxyPorts {
  front: Port;
  database: Port;
  instances: [Port, Port];
  nodes: [NodePorts, NodePorts];
}

/** `deploy/haproxy.cfg` on this machine. */
export function renderHaproxy(text: string, { front, database, instances, nodes }: HaproxyPorts): string {
  return fill(text, [
    // A process that is not root may open fewer files than a balancer's machine allows.
    ["maxconn 20000", "maxconn 2000"],
    ["bind :80\n", `bind ${local(front)}\n`],
    ["bind :5432\n", `bind ${local(database)}\n`],
    ["metacode-1.example.internal:3000", local(instances[0])],
    ["metacode-2.example.internal:3000", local(instances[1])],
    ...nodes.map(({ pooler, rest }, index): [string, string] => [
      `postgres-${index + 1}.example.internal:6432 check port 8008`,
      `${local(pooler)} check port ${rest}`,
    ]),
  ]);
}

interface PatroniPlace {
  name: string;
  ports: NodePorts;
  etcd: Port;
  /** The folder of the node's data and sockets. */
  folder: string;
  /** The folder of PostgreSQL's programs. */
  programs: string;
  password: string;
}

/** `deploy/patroni/patroni.yaml` for one node on this machine. */
export function renderPatroni(text: string, place: PatroniPlace): string {
  const { name, ports, etcd, folder, programs, password } = place;
  const members = [1, 2, 3].map((number) => `    - etcd-${number}.example.internal:2379\n`).join("");
  return fill(text, [
    ["name: postgres-1\n", `name: ${name}\n`],
    ["listen: 0.0.0.0:8008", `listen: ${local(ports.rest)}`],
    ["postgres-1.example.internal:8008", local(ports.rest)],
    [members, `    - ${local(etcd)}\n`],
    ["listen: 0.0.0.0:5432", `listen: ${local(ports.postgres)}`],
    ["postgres-1.example.internal:5432", local(ports.postgres)],
    ["data_dir: /var/lib/postgresql/data", `data_dir: ${folder}/data`],
    ["bin_dir: /usr/lib/postgresql/17/bin\n", `bin_dir: ${programs}\n`],
    // The drill's nodes have no certificate and use the loopback address.
    ['    ssl: "on"\n', `    ssl: "off"\n    unix_socket_directories: "${folder}"\n`],
    ["replace-me", password],
    ["hostssl ", "host "],
    ["10.0.0.0/8", "127.0.0.1/32"],
  ]);
}

/** `deploy/pgbouncer/pgbouncer.ini` beside one node. */
export function renderPooler(text: string, ports: NodePorts, users: string): string {
  return fill(text, [
    ["port=5432", `port=${ports.postgres}`],
    ["listen_addr = *", "listen_addr = 127.0.0.1"],
    ["listen_port = 6432", `listen_port = ${ports.pooler}`],
    ["/etc/pgbouncer/userlist.txt", users],
    ["[pgbouncer]\n", "[pgbouncer]\nunix_socket_dir =\n"],
  ]);
}

/** `deploy/redis/redis.conf`; a replica names its primary. */
export function renderRedis(text: string, port: Port, primary?: Port): string {
  const own = fill(text, [
    ["bind 0.0.0.0", "bind 127.0.0.1"],
    ["port 6379\n", `port ${port}\n`],
  ]);
  return primary ? `${own}replicaof 127.0.0.1 ${primary}\n` : own;
}

/** `deploy/redis/sentinel.conf`, which watches the primary of a port. */
export function renderSentinel(text: string, port: Port, primary: Port): string {
  return fill(text, [
    ["bind 0.0.0.0", "bind 127.0.0.1"],
    ["port 26379", `port ${port}`],
    ["monitor metacode redis-1.example.internal 6379", `monitor metacode 127.0.0.1 ${primary}`],
  ]);
}
