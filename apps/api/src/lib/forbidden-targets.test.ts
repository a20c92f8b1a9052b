import { expect, test } from 'vitest'
import type { Context } from '../context.ts'
import { isForbidden, isForbiddenSite } from './forbidden-targets.ts'

test.each([
  '0.0.0.0',
  '127.0.0.1',
  '127.255.255.254',
  '169.254.169.254',
  '168.63.129.16',
  '192.0.0.192',
  '100.100.100.200',
  '224.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '0:0:0:0:0:0:0:1',
  'fe80::1',
  'fe80::1%eth0',
  'febf::1',
  'fec0::1',
  'ff02::1',
  'fd00:ec2::254',
  'FD00:0EC2:0:0:0:0:0:254',
  'fd20:ce::254',
  '::ffff:127.0.0.1',
  '::ffff:7f00:1',
  '::ffff:169.254.169.254',
  '::ffff:0:127.0.0.1',
  '::127.0.0.1',
  '64:ff9b::127.0.0.1',
  '64:ff9b::a9fe:a9fe',
  '64:ff9b::168.63.129.16',
  '64:ff9b:1::1',
  '2002:7f00:1::',
  '2002:a9fe:a9fe::1',
  '2002:c000:c0::1',
  '2001:0:4136:e378:8000:63bf:80ff:fffe',
  'nonsense',
  '',
])('%j is no target', (address) => {
  expect(isForbidden(address)).toBe(true)
})

test.each([
  '192.0.2.10',
  '10.0.0.1',
  '168.63.129.17',
  '192.0.0.191',
  '203.0.113.254',
  '2001:db8::1',
  '2a01:4f8::2',
  'fd00:ec2::253',
  'fd12:3456::1',
  '::ffff:192.0.2.10',
  '64:ff9b::192.0.2.10',
  '2002:c000:20a::1',
  '2001:0:4136:e378:8000:63bf:3fff:fdd2',
])('%s is one', (address) => {
  expect(isForbidden(address)).toBe(false)
})

const config = { KELID_ALLOW_RESERVED_TARGETS: false } as Context['config']
test.each([
  '10.0.0.1',
  '100.64.0.1',
  '172.31.255.255',
  '192.168.1.1',
  'fd12:3456::1',
  '::ffff:10.0.0.1',
  '64:ff9b::192.168.1.1',
  '127.0.0.1',
  '169.254.169.254',
])('%s is no site for strangers', (address) => {
  expect(isForbiddenSite({ config }, address)).toBe(true)
  expect(isForbiddenSite({ config: { ...config, KELID_ALLOW_RESERVED_TARGETS: true } }, address)).toBe(false)
})
test.each(['100.128.0.1', '172.32.0.1', '192.0.2.10', '2001:db8::1'])('%s may be one', (address) => {
  expect(isForbiddenSite({ config }, address)).toBe(false)
})
