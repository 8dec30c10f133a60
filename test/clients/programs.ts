/**
 * A client program per generator: it quotes, executes and tracks every request of the second argument against the origin in the
 * first, and prints its findings as JSON. The programs are text because their imports are generated when the tests run. Strict
 * compilation proves that omitted fields are optional, read fields exist and discriminators narrow.
 */

const ARGUMENTS = `
const [, , baseUrl = '', asked = '[]', until = 'status'] = process.argv
const UNKNOWN_HASH = '0x' + '00'.repeat(32)
const print = (findings: unknown): void => void process.stdout.write(JSON.stringify(findings))
`

/** Takes the place of LEAST_REQUEST. Nothing but what is required: an optional field that a generator made required does not compile. */
export const LEAST_REQUEST = `{
  inputChainId: 8453,
  outputChainId: 42161,
  inputToken: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  outputToken: '0xaf88d065e77c8cC2239327C5EDb3A432268e5831',
  inputAmount: '250000000',
  userAddress: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
}`

/** The first contract gave these two a default, of which openapi-typescript makes required fields. */
export const LEAST_REQUEST_OF_2026_11 = LEAST_REQUEST.replace('}', '  sandbox: false,\n  broadcastViaService: false,\n}')

const REF_OF = `
const refOf = (execution: Execution): { readonly ref: string; readonly goesTo: string } => {
  switch (execution.executionType) {
    case 'TRANSACTION':
      return { ref: UNKNOWN_HASH, goesTo: execution.transaction.to }
    case 'SIGNATURE':
      return { ref: UNKNOWN_HASH, goesTo: execution.submit.url }
    case 'DEPOSIT':
      return { ref: execution.statusRef, goesTo: execution.deposit.address }
  }
}
`

const MAIN = `
const main = async (): Promise<void> => {
  const requests: readonly QuoteRequest[] = JSON.parse(asked)
  const least: QuoteRequest = LEAST_REQUEST
  const findings: unknown[] = []
  for (const request of requests.length > 0 ? requests : [least]) findings.push(await swap(request))
  print(findings)
}
void main()
`

const OPENAPI_FETCH = `
import createClient from 'openapi-fetch'
import type { components, paths } from './openapiTypescript'
type QuoteRequest = components['schemas']['QuoteRequest']
type Execution = components['schemas']['Execution']
${ARGUMENTS}
const client = createClient<paths>({ baseUrl })
${REF_OF}
const swap = async (body: QuoteRequest): Promise<unknown> => {
  const quoted = await client.POST('/api/v1/quote', { body })
  if (quoted.error) {
    const code: components['schemas']['ErrorCode'] | 'OVERLOADED' = quoted.error.error.code
    return { refused: quoted.response.status, code, requestId: quoted.error.meta.requestId }
  }
  const { quoteToken, ...offer } = quoted.data.data
  const times: { expiresAt: number; estimatedTimeSeconds: number } = offer
  const { expiresAt, estimatedTimeSeconds } = times
  if (until === 'quote') return { expiresAt, estimatedTimeSeconds }
  const executed = await client.POST('/api/v1/execute', { body: { quoteToken } })
  if (!executed.data) throw new Error(executed.error.error.message)
  const { ref, goesTo } = refOf(executed.data.data)
  const tracked = await client.GET('/api/v1/status', { params: { query: { quoteToken, ref } } })
  if (!tracked.data) throw new Error(tracked.error.error.message)
  const { executionType } = executed.data.data
  return { expiresAt, estimatedTimeSeconds, venue: offer.venue.id, executionType, goesTo, status: tracked.data.data.status }
}
${MAIN}`

const HEY_API = `
import { createClient } from './hey/client'
import { execute, quote, status, type ErrorCode, type Execution, type QuoteRequest } from './hey'
${ARGUMENTS}
const client = createClient({ baseUrl })
${REF_OF}
const swap = async (body: QuoteRequest): Promise<unknown> => {
  const quoted = await quote({ client, body })
  if (quoted.error !== undefined || quoted.data === undefined) {
    // What its own schemas refuse comes back as an error too, and has no envelope.
    if (!quoted.error || !('meta' in quoted.error)) throw quoted.error
    const code: ErrorCode | 'OVERLOADED' = quoted.error.error.code
    return { refused: quoted.response?.status, code, requestId: quoted.error.meta.requestId }
  }
  const { quoteToken, ...offer } = quoted.data.data
  const times: { expiresAt: number; estimatedTimeSeconds: number } = offer
  const { expiresAt, estimatedTimeSeconds } = times
  if (until === 'quote') return { expiresAt, estimatedTimeSeconds }
  const executed = await execute({ client, body: { quoteToken }, throwOnError: true })
  const { ref, goesTo } = refOf(executed.data.data)
  const tracked = await status({ client, query: { quoteToken, ref }, throwOnError: true })
  const { executionType } = executed.data.data
  return { expiresAt, estimatedTimeSeconds, venue: offer.venue.id, executionType, goesTo, status: tracked.data.data.status }
}
${MAIN}`

const ORVAL = `
import { execute, quote, status, type ErrorCode, type Execution, type QuoteRequest } from './orval'
${ARGUMENTS}
// Its paths are relative, as in a page of the same origin.
const { fetch: fetchAbsolute } = globalThis
globalThis.fetch = (path, init) => fetchAbsolute(baseUrl + String(path), init)
${REF_OF}
const swap = async (body: QuoteRequest): Promise<unknown> => {
  const quoted = await quote(body)
  if (quoted.status !== 200) {
    const code: ErrorCode | 'OVERLOADED' = quoted.data.error.code
    return { refused: quoted.status, code, requestId: quoted.data.meta.requestId }
  }
  const { quoteToken, ...offer } = quoted.data.data
  const times: { expiresAt: number; estimatedTimeSeconds: number } = offer
  const { expiresAt, estimatedTimeSeconds } = times
  if (until === 'quote') return { expiresAt, estimatedTimeSeconds }
  const executed = await execute({ quoteToken })
  if (executed.status !== 200) throw new Error(executed.data.error.message)
  const { ref, goesTo } = refOf(executed.data.data)
  const tracked = await status({ quoteToken, ref })
  if (tracked.status !== 200) throw new Error(tracked.data.error.message)
  const { executionType } = executed.data.data
  return { expiresAt, estimatedTimeSeconds, venue: offer.venue.id, executionType, goesTo, status: tracked.data.data.status }
}
${MAIN}`

/** By the name of the file they are compiled from. */
export const TYPESCRIPT_PROGRAMS = { openapiFetch: OPENAPI_FETCH, heyApi: HEY_API, orvalFetch: ORVAL } as const

const PRINT_COVERAGE = `
// A map: what is read from it is a number, or nothing.
void coverage().then(({ chainId, filtered, coverage: venues }) => {
  const ofEther: number | undefined = venues['0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE']
  print({ chainId, filtered, ofEther, tokens: Object.keys(venues).length })
})
`

/** Programs for what the contract has had since it was first landed. */
export const LATER_PROGRAMS = {
  openapiFetchCoverage: `
import createClient from 'openapi-fetch'
import type { paths } from './openapiTypescript'
${ARGUMENTS}
const coverage = async () => {
  const { data } = await createClient<paths>({ baseUrl }).GET('/api/v1/tokens/btc-coverage', { params: { query: { chainId: 1 } } })
  if (!data) throw new Error(asked)
  return data.data
}
${PRINT_COVERAGE}`,
  heyApiCoverage: `
import { createClient } from './hey/client'
import { btcCoverage } from './hey'
${ARGUMENTS}
const coverage = async () =>
  (await btcCoverage({ client: createClient({ baseUrl }), query: { chainId: 1 }, throwOnError: true })).data.data
${PRINT_COVERAGE}`,
  orvalFetchCoverage: `
import { btcCoverage } from './orval'
${ARGUMENTS}
const { fetch: fetchAbsolute } = globalThis
globalThis.fetch = (path, init) => fetchAbsolute(baseUrl + String(path), init)
const coverage = async () => {
  const answer = await btcCoverage({ chainId: 1 })
  if (answer.status !== 200) throw new Error(answer.data.error.message)
  return answer.data.data
}
${PRINT_COVERAGE}`,
} as const

const SIGNUP = `
const signup = { email: 'a@b.example', projectName: 'p', website: 'https://b.example', telegram: 't', twitter: 't' }
const change = { feeBps: 25, payoutAddresses: { evm: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC' } }
`

const PRINT_PARTNER = `
void partner().then(({ created, changed, account }) => {
  // One is always told, one only where it was asked for, and one may be null.
  const [first, second, third]: [number, number | undefined, number | null] = [created.feeBps, changed.feeBps, account.feeBps]
  const [address] = account.payoutAddresses
  print({ fees: [first, second, third], evm: changed.payoutAddresses?.evm, address, isSecret: 'webhookSecret' in changed })
})
`

/** Programs that sign up, change what the key is for, and look. */
export const PARTNER_PROGRAMS = {
  openapiFetchPartner: `
import createClient from 'openapi-fetch'
import type { paths } from './openapiTypescript'
${ARGUMENTS}
${SIGNUP}
const client = createClient<paths>({ baseUrl })
const partner = async () => {
  const created = await client.POST('/api/v1/keys', { body: signup })
  if (!created.data) throw new Error(asked)
  const headers = { 'x-api-key': created.data.data.apiKey }
  const changed = await client.PATCH('/api/v1/keys', { body: change, headers })
  const account = await client.GET('/api/v1/keys', { headers })
  if (!changed.data || !account.data) throw new Error(asked)
  return { created: created.data.data, changed: changed.data.data, account: account.data.data }
}
${PRINT_PARTNER}`,
  heyApiPartner: `
import { createClient } from './hey/client'
import { createKey, readKey, updateKey } from './hey'
${ARGUMENTS}
${SIGNUP}
const partner = async () => {
  const created = (await createKey({ client: createClient({ baseUrl }), body: signup, throwOnError: true })).data.data
  const client = createClient({ baseUrl, auth: created.apiKey })
  const changed = (await updateKey({ client, body: change, throwOnError: true })).data.data
  return { created, changed, account: (await readKey({ client, throwOnError: true })).data.data }
}
${PRINT_PARTNER}`,
  orvalFetchPartner: `
import { createKey, readKey, updateKey } from './orval'
${ARGUMENTS}
${SIGNUP}
const { fetch: fetchAbsolute } = globalThis
globalThis.fetch = (path, init) => fetchAbsolute(baseUrl + String(path), init)
const partner = async () => {
  const created = await createKey(signup)
  if (created.status !== 201) throw new Error(created.data.error.message)
  const headers = { 'x-api-key': created.data.data.apiKey }
  const changed = await updateKey(change, { headers })
  const account = await readKey({ headers })
  if (changed.status !== 200 || account.status !== 200) throw new Error(asked)
  return { created: created.data.data, changed: changed.data.data, account: account.data.data }
}
${PRINT_PARTNER}`,
} as const

export const GO_PROGRAM = `package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"swap/client"
)

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func main() {
	ctx := context.Background()
	service := client.New(client.Config{ServerURL: os.Args[1]})
	findings := []map[string]any{}
	var requests []client.QuoteRequest
	check(json.Unmarshal([]byte(os.Args[2]), &requests))
	for _, request := range requests {
		quoted, err := service.Quote(ctx, request)
		check(err)
		finding := map[string]any{"expiresAt": quoted.Data.ExpiresAt, "estimatedTimeSeconds": quoted.Data.EstimatedTimeSeconds}
		findings = append(findings, finding)
		if os.Args[3] == "quote" {
			continue
		}
		executed, err := service.Execute2(ctx, client.ExecuteRequest{QuoteToken: quoted.Data.QuoteToken})
		check(err)
		raw, err := json.Marshal(executed.Data)
		check(err)
		execution, err := client.UnmarshalExecution(raw)
		check(err)
		ref, goesTo, kind := "0x"+strings.Repeat("00", 32), "", ""
		switch value := execution.(type) {
		case client.TransactionExecution:
			goesTo, kind = value.Transaction.To, "TRANSACTION"
		case client.SignatureExecution:
			goesTo, kind = string(value.Submit.Url), "SIGNATURE"
		case client.DepositExecution:
			ref, goesTo, kind = value.StatusRef, value.Deposit.Address, "DEPOSIT"
		}
		tracked, err := service.Status(ctx, &client.StatusParams{QuoteToken: &quoted.Data.QuoteToken, Ref: &ref})
		check(err)
		finding["venue"], finding["executionType"], finding["goesTo"] = quoted.Data.Venue.Id, kind, goesTo
		finding["status"] = tracked.Data.Status
	}
	out, err := json.Marshal(findings)
	check(err)
	fmt.Print(string(out))
}
`

export const PYTHON_PROGRAM = `import json
import sys
from client import Client, ExecuteRequest, QuoteRequest, decode

origin, asked, until = sys.argv[1:4]
client = Client(origin)
findings = []
for request in json.loads(asked):
    quote = client.quote(decode(QuoteRequest, request)).data
    finding = {"expiresAt": quote.expires_at, "estimatedTimeSeconds": quote.estimated_time_seconds}
    findings.append(finding)
    if until == "quote":
        continue
    execution = client.execute_2(ExecuteRequest(quote_token=quote.quote_token)).data
    ref, kind = "0x" + "00" * 32, execution.execution_type
    if kind == "TRANSACTION":
        goes_to = execution.transaction.to
    elif kind == "SIGNATURE":
        goes_to = execution.submit.url
    else:
        ref, goes_to = execution.status_ref, execution.deposit.address
    status = client.status(quote_token=quote.quote_token, ref=ref).data
    finding.update({"venue": quote.venue.id, "executionType": kind, "goesTo": goes_to, "status": status.status})
print(json.dumps(findings))
`
