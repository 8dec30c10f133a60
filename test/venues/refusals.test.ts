import { describe, expect, test } from 'vitest'
import { MEANINGS as across } from '../../engine/venues/across/refusals.ts'
import { MEANINGS as bebop } from '../../engine/venues/bebop/refusals.ts'
import { MEANINGS as chainflip } from '../../engine/venues/chainflip/refusals.ts'
import { MEANINGS as cow } from '../../engine/venues/cow/refusals.ts'
import { MEANINGS as debridge } from '../../engine/venues/debridge/refusals.ts'
import { MEANINGS as jupiter } from '../../engine/venues/jupiter/refusals.ts'
import type { Meaning, Meanings } from '../../engine/venues/kit/refusals.ts'
import { MEANINGS as kyberswap } from '../../engine/venues/kyberswap/refusals.ts'
import { MEANINGS as lifi } from '../../engine/venues/lifi/refusals.ts'
import { MEANINGS as mayan } from '../../engine/venues/mayan/refusals.ts'
import { MEANINGS as nearIntents } from '../../engine/venues/near-intents/refusals.ts'
import { VENUE_DEFINITIONS } from '../../engine/venues/registry.ts'
import { MEANINGS as relay } from '../../engine/venues/relay/refusals.ts'
import { MEANINGS as thorchain } from '../../engine/venues/thorchain/refusals.ts'
import { MEANINGS as uniswapx } from '../../engine/venues/uniswapx/refusals.ts'
import { MEANINGS as zerox } from '../../engine/venues/zerox/refusals.ts'
import json from './documentedRefusals.json' with { type: 'json' }

/** By code, by a part of the text, or by a pattern of the text. */
type Table = Meanings | readonly (readonly [part: string, meaning: Meaning])[] | readonly { readonly says: RegExp }[]

const TABLES: { readonly [venue: string]: Table } = {
  across,
  bebop,
  chainflip,
  cow,
  debridge,
  jupiter,
  kyberswap,
  lifi,
  mayan,
  'near-intents': nearIntents,
  relay,
  thorchain,
  uniswapx,
  zerox,
}

/** `codes`: the codes, or whole texts, that the document lists. */
type Source = { readonly document: string; readonly version: string; readonly codes: readonly string[] }

type Sources = {
  /** Documents and published code of the vendor. */
  readonly documented?: readonly Source[]
  /** Recordings, and reports and code of integrators. */
  readonly seen?: readonly Source[]
  /** Codes of the table without a source. */
  readonly unsourced?: readonly string[]
  /** Why the venue has no table. */
  readonly noTable?: string
}

const SOURCES: { readonly [venue: string]: Sources } = json

const sourcesOf = ({ documented = [], seen = [] }: Sources = {}): readonly Source[] => [...documented, ...seen]

type Row = { readonly code: string; matches(listed: string): boolean }

/** A pattern has one row for each alternative outside of parentheses. */
const rowsOf = (table: Table): readonly Row[] => {
  if (!Array.isArray(table)) return Object.keys(table).map((code) => ({ code, matches: (listed) => listed === code }))
  return table.flatMap((row: readonly [string, Meaning] | { readonly says: RegExp }): readonly Row[] => {
    if (!('says' in row)) return [{ code: row[0], matches: (listed) => listed.includes(row[0]) }]
    const { source, flags } = row.says
    return source.split(/\|(?![^(]*\))/).map((code) => ({ code, matches: (listed) => new RegExp(code, flags).test(listed) }))
  })
}

const withoutSource = (table: Table, sources: readonly Source[]): readonly string[] => {
  const listed = sources.flatMap(({ codes }) => codes)
  return rowsOf(table).flatMap(({ code, matches }) => (listed.some(matches) ? [] : [code]))
}

describe('refusal tables', () => {
  test('exist for every venue of the registry, or an entry states why not', () => {
    const noTable = Object.entries(SOURCES).flatMap(([venue, entry]) => (entry.noTable ? [venue] : []))
    expect([...Object.keys(TABLES), ...noTable].sort()).toEqual(VENUE_DEFINITIONS.map(({ id }) => id).sort())
  })

  test.each(Object.entries(TABLES))('%s: every code has a documented source', (venue, table) => {
    const sources = sourcesOf(SOURCES[venue])
    expect(sources.length).toBeGreaterThan(0)
    for (const { document, version, codes } of sources) {
      expect([document, version], document).not.toContain('')
      expect(codes.length, document).toBeGreaterThan(0)
    }
    expect(rowsOf(table).length).toBeGreaterThan(0)
    expect(withoutSource(table, sources)).toEqual(SOURCES[venue]?.unsourced ?? [])
  })

  test.each<[string, Table]>([
    ['code', { ...relay, AN_INVENTED_CODE: 'noLiquidity' }],
    ['text', [...thorchain, ['an invented text', 'noLiquidity']]],
    ['alternative of a pattern', [...chainflip, { says: /too many channels|an invented (?:first|second) text/ }]],
  ])('report an invented %s', (_kind, table) => {
    const sources = Object.values(SOURCES).flatMap(sourcesOf)
    expect(withoutSource(table, sources).filter((code) => /invented/i.test(code))).toHaveLength(1)
  })
})
