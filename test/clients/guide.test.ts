import { readFile, writeFile } from 'node:fs/promises'
import http from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bundleDocument, projectRoot } from '../../scripts/contract/document.ts'
import { listening } from '../support/listening.ts'
import { lacks, type NeedName } from '../support/needs.ts'
import { only, startService, type TestService } from '../support/service.ts'
import { allBut, DEPOSIT_SWAP } from '../support/swaps.ts'
import { buildClient, CLIENTS_PAGE, type GuideClient, removeClients, runClient, setUpClients } from './guideClients.ts'

/** What a section of the page needs beside Node and bash. */
const SECTION_NEEDS: { readonly [name: string]: NeedName } = { Python: 'python3', Go: 'go', Java: 'javac', PHP: 'php' }

const page = await readFile(join(projectRoot, CLIENTS_PAGE), 'utf8')
const NAMES = [...page.matchAll(/^## (TypeScript, .+|Python|Go|Java|PHP)$/gm)].map(([, name = '']) => name)
const PAID = 'TypeScript, paid calls'
const here = NAMES.filter((name) => {
  const need = SECTION_NEEDS[name]
  return need === undefined || !lacks(need)
})

const all = <T>(clients: readonly GuideClient[], work: (client: GuideClient) => Promise<T>): Promise<[string, T][]> =>
  Promise.all(clients.map(async (client): Promise<[string, T]> => [client.name, await work(client)]))

const SWAP = {
  inputChainId: 8453,
  inputToken: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  inputAmount: '250000000',
  outputChainId: 42161,
  outputToken: '0xaf88d065e77c8cC2239327C5EDb3A432268e5831',
  userAddress: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
}

let service: TestService
/** One call a minute, and one quote at once. */
let narrow: TestService
let clients: readonly GuideClient[] = []
let paying: readonly GuideClient[] = []
const closers: (() => unknown)[] = []

beforeAll(async () => {
  const venues = only('across', 'cow', 'near-intents', 'relay')
  service = await startService(venues)
  closers.push(service.close)
  narrow = await startService({
    ...only('across'),
    RATE_LIMIT_ANONYMOUS_PER_MINUTE: '1',
    OVERLOAD_QUOTES_MAX: '1',
    OVERLOAD_WAITING_MAX: '0',
    QUOTE_DEADLINE_MS: '60000',
    QUOTE_SOFT_DEADLINE_MS: '60000',
  })
  closers.push(narrow.close)
  const set = await setUpClients(page, await bundleDocument('openapi.yaml'))
  closers.push(() => removeClients(set))
  const usable = set.filter(({ name }) => here.includes(name))
  clients = usable.filter(({ name }) => name !== PAID)
  paying = usable.filter(({ name }) => name === PAID)
  await all(usable, buildClient)
}, 180_000)

afterAll(async () => {
  for (const close of closers.reverse()) await close()
})

type Between = { before?(path: string): Promise<void>; answer?(text: string): string }

/** Where clients find the service with something in between: what happens before it is asked, or to what it answers. */
const startBefore = async (asked: TestService, { before, answer = (text) => text }: Between) => {
  const server = http.createServer(async (request, response) => {
    const path = request.url ?? ''
    await before?.(path)
    const { host: _host, connection: _connection, ...headers } = request.headers as Record<string, string>
    const body = request.method === 'POST' ? await text(request) : null
    const reply = await fetch(asked.publicUrl + path, { method: request.method ?? 'GET', headers, body })
    response.writeHead(reply.status, { 'content-type': 'application/json' }).end(answer(await reply.text()))
  })
  const { url, close } = await listening(server)
  closers.push(close)
  return { ...placesOf(asked), service: url }
}

const placesOf = ({ publicUrl, control }: TestService) => ({ service: publicUrl, network: control.url })

/** The one line that each prints for a request. */
const told = (request: object, at = placesOf(service), env: { readonly [name: string]: string } = {}) =>
  all(clients, async (client) => (await runClient(client, at, request, env)).join('\n'))

const expectAll = (lines: readonly (readonly [string, string])[], pattern: RegExp): void => {
  expect(lines.length).toBe(here.length - 1)
  for (const [name, line] of lines) expect(line, name).toMatch(pattern)
}

/** The two operations whose query has a number. */
const TOKENS_JAVA = `import crosschainswapservice.Client;
import crosschainswapservice.Client.BtcCoverageParams;
import crosschainswapservice.Client.ResolveToken2Params;

public final class Tokens {
    public static void main(String[] args) {
        Client client = new Client(new Client.Config().serverUrl(args[0]));
        var token = client.resolveToken2(new ResolveToken2Params().chainId(8453.0).address("${SWAP.inputToken}")).data2();
        System.out.println(token.token().symbol() + " " + token.token().decimals().longValue());
        var coverage = client.btcCoverage(new BtcCoverageParams().chainId(8453.0)).data2();
        System.out.println(coverage.chainId() + " " + coverage.coverage().size() + " tokens");
    }
}
`

/** What a cell of the table says, and what of the generated code makes it true. */
const CELLS: {
  readonly [name: string]: {
    readonly file: string
    readonly cells: readonly (readonly [column: number, says: RegExp, since: RegExp])[]
  }
} = {
  'TypeScript, openapi-fetch': {
    file: 'api.d.ts',
    cells: [
      [1, /^openapi-typescript 7\.13\.0$/, /^ \* This file was auto-generated by openapi-typescript/m],
      [4, /in the type/, /estimated: boolean;\s*\} \| null;/],
      [5, /amounts `string`; times, chain ids `number`/, / Amount: string;/],
      [5, /amounts `string`; times, chain ids `number`/, / ChainId: 1 \| 10 \| /],
      [
        2,
        /a `switch` narrows/,
        /Execution: components\["schemas"\]\["TransactionExecution"\] \| components\["schemas"\]\["SignatureExecution"\] \| components/,
      ],
      [3, /codes are literals/, /ErrorCode: "INVALID_REQUEST" \| "UNSUPPORTED_TOKEN" \| /],
      [4, /in the type/, /feeBps: number \| null;/],
      [5, /amounts `string`; times, chain ids `number`/, /expiresAt: number;/],
    ],
  },
  'TypeScript, hey-api with zod': {
    file: 'hey/types.gen.ts',
    cells: [
      [4, /in the type/, /estimated: boolean;\s*\} \| null;/],
      [5, /amounts `string`; times, chain ids `number`/, /export type Amount = string;/],
      [5, /amounts `string`; times, chain ids `number`/, /export type ChainId = 1 \| 10 \| /],
      [
        2,
        /a `switch` narrows/,
        /export type Execution = [\s\S]{0,200}TransactionExecution[\s\S]{0,200}\| [\s\S]{0,200}DepositExecution/,
      ],
      [3, /codes are literals/, /export type ErrorCode = 'INVALID_REQUEST' \| 'UNSUPPORTED_TOKEN' \| /],
      [4, /in the type/, /feeBps: number \| null;/],
      [5, /amounts `string`; times, chain ids `number`/, /expiresAt: number;/],
    ],
  },
  'TypeScript, orval': {
    file: 'orval-api.ts',
    cells: [
      [4, /in the type/, /estimated: boolean;\s*\} \| null;/],
      [5, /amounts `string`; times, chain ids `number`/, /export type Amount = string;/],
      [5, /amounts `string`; times, chain ids `number`/, /export const ChainId = \{\s+NUMBER_1: 1,/],
      [2, /a `switch` narrows/, /export type Execution = TransactionExecution \| SignatureExecution \| DepositExecution/],
      [3, /by status, codes are literals/, /INVALID_REQUEST: 'INVALID_REQUEST',/],
      [4, /in the type/, /feeBps: number \| null;/],
      [5, /amounts `string`; times, chain ids `number`/, /expiresAt: number;/],
    ],
  },
  Python: {
    file: 'client.py',
    cells: [
      [4, /objects `Optional\[Any\]`/, /gas: Optional\[Any\]/],
      [5, /chain ids an `int` enumeration/, /^class ChainId\(int, Enum\):/m],
      [2, /`Union` of dataclasses/, /^Execution = Union\[TransactionExecution, SignatureExecution, DepositExecution\]$/m],
      [
        3,
        /`ApiError` with its status; the body is `Any`/,
        /class ApiError\(Exception\):[\s\S]*status: int, status_text: str, body: Any/,
      ],
      [4, /`Optional\[int\]`, objects `Optional\[Any\]`/, /fee_bps: Optional\[int\]/],
      [5, /amounts `str`, times `float`, chain ids an `int` enumeration/, /expires_at: float[\s\S]*^Amount = str$/m],
    ],
  },
  Go: {
    file: 'client/client.go',
    cells: [
      [2, /`any`: encode it again for `UnmarshalExecution`/, /^type Execution = any$[\s\S]*func UnmarshalExecution\(/m],
      [3, /`\*APIError` with its status; the body is `any`/, /type APIError struct \{[^}]*Status +int[^}]*Body +any/],
      [4, /numbers `\*int64`, objects `any`/, /Gas +any [\s\S]*FeeBps +\*int64/],
      [
        5,
        /amounts `string`, times `float64`, chain ids `int64`/,
        /^type ChainId int64$[\s\S]*^type Amount = string$[\s\S]*ExpiresAt +float64/m,
      ],
    ],
  },
  Java: {
    file: 'Client.java',
    cells: [
      [5, /amounts `String`/, /String amount[,\n]/],
      [5, /chain ids `Double`/, /Double inputChainId,/],
      [2, /sealed interface of records/, /public sealed interface Execution extends JsonValue/],
      [
        3,
        /`ApiException` with its status; the body is `Object`/,
        /class ApiException extends RuntimeException \{[\s\S]{0,200}int status;[\s\S]{0,80}Object body;/,
      ],
      [4, /numbers are boxed, objects are `Object`/, /Object gas,[\s\S]*Long feeBps,/],
      [5, /amounts `String`; times, chain ids `Double`/, /Double expiresAt/],
    ],
  },
  PHP: {
    file: 'client.php',
    cells: [
      [5, /amounts `string`/, /public string \$amount,/],
      [5, /chain ids `float`/, /public float \$inputChainId,/],
      [2, /union of classes, or the array/, /function unmarshalExecution\(array \$data\): mixed[\s\S]{0,400}default => \$data/],
      [
        3,
        /`ApiError` with its status; the body is `mixed`/,
        /class ApiError extends[\s\S]{0,200}int \$status,[\s\S]{0,120}mixed \$body,/,
      ],
      [4, /numbers `\?int`, objects `mixed`/, /public mixed \$gas,[\s\S]*public \?int \$feeBps,/],
      [5, /amounts `string`; times, chain ids `float`/, /public float \$expiresAt,/],
    ],
  },
}

describe('each client program of the clients guide [client-guide-programs]', () => {
  it('is listed with the tested versions', async () => {
    expect(NAMES).toHaveLength(8)
    const read = (at: string) => readFile(join(projectRoot, at, 'package.json'), 'utf8')
    const texts = (await read('.')) + (await read('test/judges'))
    const commands = [...page.matchAll(/npx ((?:@[\w-]+\/)?[\w-]+)@(\S+)/g)]
    const rows = [...page.matchAll(/^\| \[[^\]]+\]\([^)]+\) \| (\S+) (\S+) \|/gm)]
    const named = [...commands, ...rows].map(([, name = '', version]) => [name, version])
    expect([commands.length, rows.length]).toEqual([8, 7])
    expect(named.filter(([name, version]) => !texts.includes(`"${name}": "${version}"`))).toEqual([])
  })

  it('generates the types that the table of the guide states', async () => {
    const rows = new Map(
      [...page.matchAll(/^\| \[[^\]]+\]\(#([\w-]+)\) \|.*$/gm)].map(([row, anchor = '']) => [
        anchor,
        row.split(' | ').map((cell) => cell.trim()),
      ]),
    )
    expect(rows.size).toBe(Object.keys(CELLS).length)
    for (const { name, folder } of clients) {
      const { file, cells } = CELLS[name] ?? expect.fail(name)
      const generated = await readFile(join(folder, file), 'utf8')
      const row = rows.get(name.toLowerCase().replaceAll(',', '').replaceAll(' ', '-')) ?? expect.fail(`no row of ${name}`)
      for (const [column, says, since] of cells) {
        expect(row[column], name).toMatch(says)
        expect(since.test(generated), `${name}: ${row[column]}, since ${since}`).toBe(true)
      }
    }
  })

  it('quotes, executes and tracks all three execution types', { timeout: 120_000 }, async () => {
    for (const client of clients) {
      const lines = await runClient(client, placesOf(service))
      expect(lines, client.name).toEqual([
        expect.stringMatching(/^[\w-]+ TRANSACTION [1-9]\d+ 17\d{11} 0x[0-9a-fA-F]{40} (pending|not_found)$/),
        expect.stringMatching(/^cow SIGNATURE [1-9]\d+ 17\d{11} \/api\/v1\/submit-signature not_found$/),
        expect.stringMatching(/^[\w-]+ DEPOSIT [1-9]\d+ 17\d{11} (bc1|tb1)[0-9a-z]+ pending$/),
      ])
      // Two equal swaps of one second are refused.
      await service.control.advance(2_000)
    }
  })

  it.skipIf(lacks('javac'))('sends a chain id in the query, which Java holds as a double', async () => {
    const { folder } = clients.find(({ name }) => name === 'Java') ?? expect.fail('no Java')
    await writeFile(join(folder, 'Tokens.java'), TOKENS_JAVA)
    const asked = {
      name: 'Java',
      folder,
      build: ['javac -encoding UTF-8 -Xlint:all -Werror --release 17 -cp out -d out Tokens.java'],
    }
    await buildClient({ ...asked, run: '' })
    const printed = await runClient({ ...asked, run: 'java -cp out Tokens http://127.0.0.1:3000' }, placesOf(service))
    expect(printed).toEqual(['USDC 6', expect.stringMatching(/^8453\.0 [1-9]\d* tokens$/)])
  })

  it('pays for a call, where its language has an x402 client', async () => {
    for (const client of paying)
      expect(await runClient(client, placesOf(service))).toEqual([expect.stringMatching(/^paid 0x[0-9a-f]{64} for 2\d+ of \w+/)])
  })

  it('fails when the contract renames a required field', { timeout: 120_000 }, async () => {
    const document = (await bundleDocument('openapi.yaml')).replaceAll('"quoteToken"', '"quoteTicket"')
    expect(document).toContain('"quoteTicket"')
    const set = await setUpClients(page, document)
    closers.push(() => removeClients(set))
    const asked = set.filter(({ name }) => here.includes(name) && name !== PAID)
    for (const client of asked) {
      const works = async () => {
        await buildClient(client)
        return runClient(client, placesOf(service), DEPOSIT_SWAP)
      }
      await expect(works(), client.name).rejects.toThrow(/failed:[\s\S]*quote_?(?:token|ticket)/i)
      await service.control.advance(2_000)
    }
  })

  it('reads the code, field and reason of a 400 response', { timeout: 60_000 }, async () => {
    const lines = await told({ ...SWAP, outputToken: '0x000000000000000000000000000000000000dEaD' })
    expectAll(lines, /^refused 400 UNSUPPORTED_TOKEN \{"fields": ?\[\{"path": ?"outputToken"/)
  })

  it('reads an unknown error code of a later version from a 400 response', { timeout: 60_000 }, async () => {
    const later = await startBefore(service, { answer: (text) => text.replace('"UNSUPPORTED_TOKEN"', '"TOKEN_PAUSED"') })
    const lines = await told({ ...SWAP, outputToken: '0x000000000000000000000000000000000000dEaD' }, later)
    expectAll(lines, /^refused 400 TOKEN_PAUSED \{"fields": ?\[/)
  })

  it('reads a 401 response for an unknown API key', { timeout: 60_000 }, async () => {
    expectAll(await told(SWAP, placesOf(service), { SWAP_API_KEY: 'not-a-key' }), /^refused 401 UNAUTHORIZED \{\}$/)
  })

  it('reads the reasons of each venue from a 404 response without liquidity', { timeout: 60_000 }, async () => {
    expectAll(await told({ ...SWAP, inputAmount: '1' }), /^refused 404 NO_LIQUIDITY \{.*"declines"/)
  })

  it('reads a 422 response for a quote without a recipient', { timeout: 60_000 }, async () => {
    const lines = await told({
      ...SWAP,
      outputChainId: -2,
      outputToken: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
      excludeVenues: allBut('across'),
    })
    expectAll(lines, /^refused 422 QUOTE_NOT_EXECUTABLE /)
  })

  it('reads a 410 response for an expired quote', { timeout: 60_000 }, async () => {
    const late = await startBefore(service, {
      // Twenty minutes pass between a quote and its execution.
      before: async (path) => {
        if (path === '/api/v1/execute') await service.control.advance(20 * 60_000)
      },
    })
    const lines: [string, string][] = []
    for (const client of clients) lines.push([client.name, (await runClient(client, late, DEPOSIT_SWAP)).join('\n')])
    expectAll(lines, /^refused 410 QUOTE_EXPIRED \{/)
  })

  it('reads the venue and the retryable flag from a 500 response', { timeout: 60_000 }, async () => {
    const failing = await startBefore(service, {
      before: async (path) => {
        if (path === '/api/v1/execute') await service.control.fault('near-intents', 'http-500')
      },
    })
    const lines: [string, string][] = []
    for (const client of clients) {
      lines.push([client.name, (await runClient(client, failing, DEPOSIT_SWAP)).join('\n')])
      await service.control.clearFaults()
      // A venue that fails five times in a row is left alone for a while.
      const { quoteToken } = await service.call('quote', { body: DEPOSIT_SWAP })
      await service.call('execute', { body: { quoteToken } })
    }
    expectAll(lines, /^refused 500 INTERNAL \{(?=.*"venue": ?"near-intents").*"retryable": ?true/)
  })

  it('reads the time to wait from the 503 response of a busy service and from a 429 response', {
    timeout: 90_000,
  }, async () => {
    await narrow.control.fault('across', 'hang')
    const held = fetch(`${narrow.url}/api/v1/quote`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(SWAP),
    })
    try {
      // Once that one is under way every other is refused, and before that it is not.
      await expect.poll(async () => (await fetch(`${narrow.url}/api/v1/quote`, { method: 'POST' })).status).toBe(503)
      expectAll(
        await told(SWAP, placesOf(narrow)),
        /^refused 503 OVERLOADED \{"retry\w+": ?(\d+|true), ?"retry\w+": ?(\d+|true)\}$/,
      )
    } finally {
      await narrow.control.clearFaults()
      await held
    }
    expectAll(await told(SWAP, placesOf(narrow)), /^refused 429 RATE_LIMITED \{"retryAfterSec": ?\d+\}$/)
  })
})
