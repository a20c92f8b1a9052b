import { execFileSync } from 'node:child_process'

/** A separate nftables table with a host's sets and rules for cut connections. */
export async function openDrops() {
  const table = `kelid_test_${process.pid}`
  const rules = `table inet ${table} {
    set cut4 { type ipv4_addr . inet_service; flags timeout; }
    set cut6 { type ipv6_addr . inet_service; flags timeout; }
    set live4 { type ipv4_addr . inet_service; flags dynamic, timeout; size 65536; timeout 20s; }
    set live6 { type ipv6_addr . inet_service; flags dynamic, timeout; size 65536; timeout 20s; }
    chain cut {
      type filter hook input priority filter - 10; policy accept;
      ip saddr . udp sport @cut4 reject
      ip6 saddr . udp sport @cut6 reject
    }
    chain cut-answers {
      type filter hook output priority filter - 10; policy accept;
      ip daddr . udp dport @cut4 drop
      @th,64,8 & 0x80 == 0 update @live4 { ip daddr . udp dport }
    }
  }`
  execFileSync('nft', ['--file', '-'], { input: rules })
  return {
    table,
    peers: () => execFileSync('nft', ['list', 'set', 'inet', table, 'cut4'], { encoding: 'utf8' }),
    close: () => execFileSync('nft', ['delete', 'table', 'inet', table]),
  }
}
