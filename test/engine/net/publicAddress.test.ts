import { expect, test } from 'vitest'
import { isPublicAddress } from '../../../engine/net/publicAddress.ts'

test.each([
  [
    'loopback, this network and unspecified',
    ['127.0.0.1', '127.255.255.254', '::1', '0:0:0:0:0:0:0:1', '::', '0.0.0.0', '0.1.2.3'],
  ],
  ['private and of carriers', ['10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1', '100.64.0.1', '100.127.255.255']],
  ['link-local and cloud metadata', ['169.254.169.254', '100.100.100.200', '168.63.129.16', 'fe80::1', 'fe80::1%eth0']],
  ['unique-local and site-local', ['fc00::1', 'fd12:3456::1', 'fd00:ec2::254', 'fec0::1']],
  ['multicast and broadcast', ['224.0.0.1', '239.255.255.255', '255.255.255.255', 'ff02::1']],
  ['for documentation and benchmarks', ['192.0.2.1', '198.51.100.1', '203.0.113.1', '198.18.0.1', '198.19.255.255']],
  ['for documentation and benchmarks in IPv6', ['2001:db8::1', '3fff::1', '2001:2::1']],
  ['reserved', ['192.0.0.1', '192.88.99.1', '240.0.0.1', '2001:1::1', '100::1', '5f00::1', '4000::1', 'e000::1']],
  ['IPv4 in IPv6', ['::ffff:127.0.0.1', '::ffff:7f00:1', '::ffff:8.8.8.8', '::127.0.0.1', '::ffff:0:127.0.0.1']],
  ['NAT64, 6to4 and Teredo', ['64:ff9b::127.0.0.1', '64:ff9b::808:808', '64:ff9b:1::a00:1', '2002:7f00:1::', '2001:0:7f00:1::']],
  ['loopback in other spellings', ['2130706433', '0x7f000001', '0x7f.0.0.1', '0177.0.0.1', '127.1', '0', '134744072']],
  ['text that is no address', ['', 'localhost', '127.0.0.1.', '1.2.3.4.5', '8.8.8.8/8', '[::1]', ' 8.8.8.8', 'g::1']],
])('public address: %s is not public', (_name, addresses) => {
  for (const address of addresses) expect([address, isPublicAddress(address)]).toEqual([address, false])
})

test('public address: addresses of the Internet, also beside private ranges, are public', () => {
  const beside = ['172.15.0.1', '172.32.0.1', '100.63.255.255']
  for (const address of ['8.8.8.8', '93.184.216.34', ...beside, '2606:4700::1111', '2a00:1450::1'])
    expect([address, isPublicAddress(address)]).toEqual([address, true])
})
