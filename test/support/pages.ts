import { readFile } from 'node:fs/promises'
import { delimiter, dirname, join } from 'node:path'
import { expect } from 'vitest'
import { projectRoot } from '../../scripts/contract/document.ts'

/** Pages that are followed to the letter: only hosts and ports are others. */

export type Fence = { readonly language: string; readonly text: string }

/** All that stands between fences in a text, in its order. */
export const fencesIn = (text: string): readonly Fence[] =>
  [...text.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].map(([, language = '', inside = '']) => ({ language, text: inside }))

/** The same of a page. */
export const fencesOf = async (page: string): Promise<readonly Fence[]> =>
  fencesIn(await readFile(join(projectRoot, page), 'utf8'))

/** The programs among them, by the name in their first line. */
export const programsOf = (all: readonly Fence[]): readonly { readonly name: string; readonly text: string }[] =>
  all
    .filter(({ language }) => language === 'js')
    .map(({ text }) => ({ name: /^\/\/ ([\w-]+\.mjs): /.exec(text)?.[1] ?? 'nameless', text }))

/** Node as the project pins it, and nothing else of the environment. */
export const bareEnvironment = {
  PATH: [dirname(process.execPath), process.env['PATH']].join(delimiter),
  HOME: process.env['HOME'],
}

export const redirectTo =
  (service: string, network: string) =>
  (text: string): string => {
    const redirected = text
      .replaceAll(/127\.0\.0\.1:3000\b/g, new URL(service).host)
      .replaceAll(/127\.0\.0\.1:4010\b/g, new URL(network).host)
    expect(redirected).not.toMatch(/:(3000|4010)\b/)
    return redirected
  }
