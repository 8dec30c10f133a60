import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { only, startService, type TestService } from '../support/service.ts'
import { DEPOSIT_SWAP, SIGNATURE_SWAP, TRANSACTION_SWAP } from '../support/swaps.ts'
import { EXAMPLE_TIMES, type ExampleServer, startExampleServer } from './exampleServer.ts'
import { buildTypeScriptClients, closeWorkshop, knownContracts, openWorkshop, runProgram } from './generatedClients.ts'
import { LATER_PROGRAMS, PARTNER_PROGRAMS, TYPESCRIPT_PROGRAMS } from './programs.ts'

/** Clients of the current contract and of every released one compile strictly and validate the responses. */

const contracts = await knownContracts()
const CLIENTS = Object.keys(TYPESCRIPT_PROGRAMS)

let service: TestService
let examples: ExampleServer

beforeAll(async () => {
  service = await startService(only('across', 'cow', 'near-intents', 'relay'))
  examples = await startExampleServer()
})

// Two equal swaps of one second are refused.
afterEach(() => service.control.advance(1_000))

afterAll(async () => {
  await service.close()
  await examples.close()
})

describe.each(contracts)('a TypeScript client generated from $label [client-typescript]', (contract) => {
  let folder: string

  beforeAll(async () => {
    folder = await openWorkshop(contract)
    await buildTypeScriptClients(folder, contract)
  }, 120_000)

  afterAll(() => closeWorkshop(folder))

  const ask = async (client: string, origin: string, requests: readonly object[], until = 'status'): Promise<unknown> =>
    JSON.parse(await runProgram(folder, process.execPath, join('out', `${client}.js`), origin, JSON.stringify(requests), until))

  test.each(CLIENTS)('%s quotes, executes and tracks all three execution types', async (client) => {
    const before = service.simnet.clock.now()
    const findings = await ask(client, service.publicUrl, [TRANSACTION_SWAP, SIGNATURE_SWAP, DEPOSIT_SWAP])
    const times = { expiresAt: expect.any(Number), estimatedTimeSeconds: expect.any(Number) }
    expect(findings).toEqual([
      { ...times, venue: 'across', executionType: 'TRANSACTION', goesTo: expect.stringMatching(/^0x/), status: 'pending' },
      { ...times, venue: 'cow', executionType: 'SIGNATURE', goesTo: '/api/v1/submit-signature', status: 'not_found' },
      { ...times, venue: 'near-intents', executionType: 'DEPOSIT', goesTo: expect.stringMatching(/^bc1/), status: 'pending' },
    ])
    for (const { expiresAt } of findings as readonly { expiresAt: number }[]) {
      expect(Number.isSafeInteger(expiresAt)).toBe(true)
      expect(expiresAt).toBeGreaterThan(before)
    }
  })

  test.each(CLIENTS)('%s requires only the required fields', async (client) => {
    expect(await ask(client, service.publicUrl, [])).toMatchObject([{ executionType: expect.any(String) }])
  })

  test.each(CLIENTS)('%s returns the code of an error response', async (client) => {
    const nobody = { ...TRANSACTION_SWAP, inputToken: '0x00000000000000000000000000000000DeaDBeef' }
    const code = 'UNSUPPORTED_TOKEN'
    expect(await ask(client, service.publicUrl, [nobody])).toEqual([{ refused: 400, code, requestId: expect.any(String) }])
  })

  test.each(contract.isLanded ? [] : Object.keys(LATER_PROGRAMS))('%s reads a map of numbers by token', async (client) => {
    const found = { chainId: 1, filtered: true, ofEther: 2, tokens: expect.any(Number) }
    expect(await ask(client, service.publicUrl, [])).toEqual(found)
  })

  test.each(contract.isLanded ? [] : Object.keys(PARTNER_PROGRAMS))('%s signs up and changes its settings', async (client) => {
    const evm = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
    const address = { ecosystem: 'evm', address: evm, countsFrom: expect.any(Number), counts: true }
    const told = { fees: [0, 25, 25], evm, address, isSecret: false }
    expect(await ask(client, service.publicUrl, [])).toEqual(told)
  })

  test.each(CLIENTS)('%s reads the numbers of a quote exactly', async (client) => {
    expect(await ask(client, examples.url, [TRANSACTION_SWAP], 'quote')).toEqual([EXAMPLE_TIMES])
  })
})
