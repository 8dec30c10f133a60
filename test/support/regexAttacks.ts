/**
 * Texts that a regular expression may take long over: what comes before a repetition, what is repeated, and an end that
 * does not match. Reads the syntax of regular expressions just far enough to find its repetitions.
 */

type Term = { readonly node: Node; readonly min: number; readonly max: number }
type Sequence = readonly Term[]
type Node =
  | { readonly kind: 'atom'; readonly source: string }
  | { readonly kind: 'group'; readonly alternatives: readonly Sequence[] }
  /** Anchors and assertions: they take no text. */
  | { readonly kind: 'nothing' }

/** Reads one pattern. Throws where it cannot: a pattern that is not understood is not judged. */
const parsePattern = (source: string): readonly Sequence[] => {
  let at = 0
  const take = (pattern: RegExp): string | null => {
    pattern.lastIndex = at
    const [found] = pattern.exec(source) ?? []
    if (found === undefined) return null
    at += found.length
    return found
  }

  const readAlternatives = (): Sequence[] => {
    const alternatives: Term[][] = [[]]
    while (at < source.length && source[at] !== ')') {
      if (take(/\|/y)) alternatives.push([])
      else alternatives.at(-1)?.push(readTerm())
    }
    return alternatives
  }

  const readGroup = (isAssertion: boolean): Node => {
    const alternatives = readAlternatives()
    if (!take(/\)/y)) throw new SyntaxError(`an open group in ${source}`)
    return isAssertion ? { kind: 'nothing' } : { kind: 'group', alternatives }
  }

  const readNode = (): Node => {
    if (take(/\(\?<?[=!]/y)) return readGroup(true)
    if (take(/\((\?:|\?<\w+>)?/y)) return readGroup(false)
    if (take(/[$^]|\\[bB]/y)) return { kind: 'nothing' }
    if (/\\([1-9]|k<)/y.test(source.slice(at, at + 3))) throw new SyntaxError(`a back reference in ${source}`)
    const atom = take(/\[(?:\\.|[^\]\\])*\]|\\[pP]\{[^}]*\}|\\u\{[^}]*\}|\\u[0-9a-fA-F]{4}|\\x[0-9a-fA-F]{2}|\\.|[^*+?{}()|]/y)
    if (atom === null) throw new SyntaxError(`cannot read ${source} from ${at}`)
    return { kind: 'atom', source: atom }
  }

  const readTerm = (): Term => {
    const node = readNode()
    const times = take(/(?:[*+?]|\{\d+(?:,\d*)?\})\??/y)
    if (times === null) return { node, min: 1, max: 1 }
    if (times.startsWith('*')) return { node, min: 0, max: Infinity }
    if (times.startsWith('+')) return { node, min: 1, max: Infinity }
    if (times.startsWith('?')) return { node, min: 0, max: 1 }
    const [min = '0', max] = times.slice(1, times.indexOf('}')).split(',')
    return { node, min: Number(min), max: max === undefined ? Number(min) : max === '' ? Infinity : Number(max) }
  }

  const alternatives = readAlternatives()
  if (at < source.length) throw new SyntaxError(`cannot read ${source} from ${at}`)
  return alternatives
}

const CHOICES_MAX = 5
const COMMON = ['a', '0', 'A', ' ', '-', '.', '_', '/', '+', '\n', '\u0000', '\u00e9', '\u200b']

/** Characters that an atom takes: of those the pattern itself names, and some common ones. */
const createChoices = (source: string, flags: string): ((atom: string) => readonly string[]) => {
  const candidates = [...new Set([...source.replace(/\\[dDwWsSpPbBux]/g, ''), ...COMMON])]
  return (atom) => {
    const alone = new RegExp(`^(?:${atom})$`, flags.replace(/[gy]/g, ''))
    return candidates.filter((candidate) => alone.test(candidate)).slice(0, CHOICES_MAX)
  }
}

export type Attack = { readonly before: string; readonly repeated: string; readonly after: string }

/** An attack as text, its repetition at least `length` characters long. */
export const attackText = ({ before, repeated, after }: Attack, length: number): string =>
  before + repeated.repeat(Math.ceil(length / repeated.length)) + after

/** A repetition that can go on for a while, however often it must. */
const isLong = ({ min, max }: Term): boolean => max - min > 1

const MISSES = ['', '\u0000!']

export const attacksOn = (source: string, flags: string): readonly Attack[] => {
  const choices = createChoices(source, flags)
  const sampleNode = (node: Node): string => {
    if (node.kind === 'nothing') return ''
    return node.kind === 'atom' ? (choices(node.source)[0] ?? '') : sampleOf(node.alternatives[0] ?? [])
  }
  const sampleOf = (terms: Sequence): string => terms.map(({ node, min }) => sampleNode(node).repeat(min)).join('')
  /** As `sampleOf`, with whatever may be left out. */
  const fullSampleOf = (terms: Sequence): string =>
    terms.map(({ node, min }) => sampleNode(node).repeat(Math.max(1, min))).join('')

  const found = new Map<string, Attack>()
  const add = (before: string, repeated: string) => {
    if (repeated === '') return
    for (const after of MISSES) found.set(JSON.stringify([before, repeated, after]), { before, repeated, after })
  }
  const addRepetition = (before: string, body: string) => {
    add(before, body)
    add('', before + body)
    add('', before)
    add('', body)
  }
  const bodiesOf = (node: Node): readonly string[] => {
    if (node.kind === 'nothing') return []
    if (node.kind === 'group') return node.alternatives.flatMap((terms) => [sampleOf(terms), fullSampleOf(terms)])
    const all = choices(node.source)
    return [...all, all.slice(0, 2).join('')]
  }
  const walk = (alternatives: readonly Sequence[], before: string): void => {
    for (const terms of alternatives) {
      let soFar = before
      for (const term of terms) {
        if (isLong(term)) for (const body of bodiesOf(term.node)) addRepetition(soFar, body)
        if (term.node.kind === 'group') walk(term.node.alternatives, soFar)
        // Nearly a match, again and again: every place of the text is a place to begin.
        add('', soFar)
        soFar += sampleNode(term.node).repeat(term.min)
      }
      add('', soFar)
    }
  }
  walk(parsePattern(source), '')
  return [...found.values()]
}
