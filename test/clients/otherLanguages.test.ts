import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { lacks } from '../support/needs.ts'
import { only, startService, type TestService } from '../support/service.ts'
import { DEPOSIT_SWAP, SIGNATURE_SWAP, TRANSACTION_SWAP } from '../support/swaps.ts'
import { EXAMPLE_TIMES, type ExampleServer, startExampleServer } from './exampleServer.ts'
import { closeWorkshop, generateWithRedocly, knownContracts, openWorkshop, runProgram } from './generatedClients.ts'
import { GO_PROGRAM, PYTHON_PROGRAM } from './programs.ts'

const PYTHON = '/usr/bin/python3'

const contracts = await knownContracts()

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

const expectSwaps = (findings: unknown): void => {
  const times = { expiresAt: expect.any(Number), estimatedTimeSeconds: expect.any(Number) }
  expect(findings).toEqual([
    { ...times, venue: 'across', executionType: 'TRANSACTION', goesTo: expect.stringMatching(/^0x/), status: 'pending' },
    { ...times, venue: 'cow', executionType: 'SIGNATURE', goesTo: '/api/v1/submit-signature', status: 'not_found' },
    { ...times, venue: 'near-intents', executionType: 'DEPOSIT', goesTo: expect.stringMatching(/^bc1/), status: 'pending' },
  ])
}

const SWAPS = JSON.stringify([TRANSACTION_SWAP, SIGNATURE_SWAP, DEPOSIT_SWAP])
const ONE = JSON.stringify([TRANSACTION_SWAP])

describe.skipIf(lacks('go')).each(contracts)('a Go client generated from $label [client-other-languages]', (contract) => {
  let folder: string
  let program: string

  beforeAll(async () => {
    folder = await openWorkshop(contract)
    const source = await generateWithRedocly(folder, 'go')
    // 64 bits of either kind hold it; what a generator makes of an integer without format need not.
    expect(source).toMatch(contract.isLanded ? /ExpiresAt +(float64|int64) / : /ExpiresAt +float64 /)
    expect(source).toMatch(/EstimatedTimeSeconds +float64 /)
    await writeFile(join(folder, 'go.mod'), 'module swap\n\ngo 1.19\n')
    await writeFile(join(folder, 'main.go'), GO_PROGRAM)
    program = join(folder, 'swap')
    // Both packages are our own or of the standard library: nothing is fetched.
    await runProgram(folder, 'go', 'build', '-o', program, '.')
  }, 120_000)

  afterAll(() => closeWorkshop(folder))

  test('quotes, executes and tracks all three execution types', async () => {
    expectSwaps(JSON.parse(await runProgram(folder, program, service.publicUrl, SWAPS, 'status')))
  })

  test('reads the numbers of a quote exactly', async () => {
    expect(JSON.parse(await runProgram(folder, program, examples.url, ONE, 'quote'))).toEqual([EXAMPLE_TIMES])
  })
})

describe.skipIf(lacks('python3')).each(contracts)(
  'a Python client generated from $label [client-other-languages]',
  (contract) => {
    let folder: string

    const run = async (...args: readonly string[]): Promise<unknown> =>
      JSON.parse(await runProgram(folder, PYTHON, 'swap.py', ...args))

    beforeAll(async () => {
      folder = await openWorkshop(contract)
      await generateWithRedocly(folder, 'python')
      await rename(join(folder, 'client', 'client.py'), join(folder, 'client.py'))
      await writeFile(join(folder, 'swap.py'), PYTHON_PROGRAM)
    }, 60_000)

    afterAll(() => closeWorkshop(folder))

    test('quotes, executes and tracks all three execution types', async () => {
      expectSwaps(await run(service.publicUrl, SWAPS, 'status'))
    })

    test('reads the numbers of a quote exactly', async () => {
      expect(await run(examples.url, ONE, 'quote')).toEqual([EXAMPLE_TIMES])
    })
  },
)
