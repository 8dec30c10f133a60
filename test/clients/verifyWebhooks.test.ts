import { execFileSync } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { projectRoot } from '../../scripts/contract/document.ts'
import { anEvent, hookStage } from '../support/hookStage.ts'
import { startHookTarget } from '../support/hookTarget.ts'
import { lacks, type NeedName } from '../support/needs.ts'

/** What the page shows is run as it stands there, over bytes that the service sent. */
const PAGE = readFileSync(join(projectRoot, 'engine/webhooks/README.md'), 'utf8')

const shown = (language: string): string => {
  const blocks = [...PAGE.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'))].map(([, code = '']) => code)
  if (blocks.length !== 1) throw new Error(`${blocks.length} blocks of ${language} on the page`)
  return blocks[0] as string
}

const PYTHON = '/usr/bin/python3'

type Program = {
  readonly needs: readonly NeedName[]
  readonly files: { readonly [name: string]: string }
  run(folder: string, cases: string): Buffer
}

type Case = { readonly body: string; readonly header: string; readonly secret: string }

const PROGRAMS: { readonly [language: string]: Program } = {
  TypeScript: {
    needs: [],
    files: {
      'verify.ts': shown('ts'),
      'main.mts': `import { isGenuine } from './verify.ts'
const cases = JSON.parse(process.argv[2])
console.log(JSON.stringify(cases.map(({ body, header, secret }) => isGenuine(Buffer.from(body, 'base64'), header || undefined, secret))))`,
      'package.json': '{"type":"module"}',
    },
    run: (folder: string, cases: string) => execFileSync(process.execPath, ['main.mts', cases], { cwd: folder }),
  },
  Python: {
    needs: ['python3'],
    files: {
      'verify.py': shown('python'),
      'main.py': `import base64, json, sys
from verify import is_genuine
print(json.dumps([is_genuine(base64.b64decode(c["body"]), c["header"] or None, c["secret"]) for c in json.loads(sys.argv[1])]))`,
    },
    run: (folder: string, cases: string) => execFileSync(PYTHON, ['main.py', cases], { cwd: folder }),
  },
  Go: {
    needs: ['go'],
    files: {
      'verify.go': shown('go'),
      'go.mod': 'module verify\n\ngo 1.19\n',
      'main.go': `package main

import (
	"encoding/json"
	"os"
)

func main() {
	var cases []struct {
		Body           []byte
		Header, Secret string
	}
	if err := json.Unmarshal([]byte(os.Args[1]), &cases); err != nil {
		panic(err)
	}
	told := []bool{}
	for _, c := range cases {
		told = append(told, isGenuine(c.Body, c.Header, c.Secret))
	}
	json.NewEncoder(os.Stdout).Encode(told)
}
`,
    },
    run: (folder: string, cases: string) =>
      execFileSync('go', ['run', '.', cases], {
        cwd: folder,
        env: { ...process.env, GOFLAGS: '-mod=mod', GOWORK: 'off' },
      }),
  },
}

let sent: Case

beforeAll(async () => {
  const target = await startHookTarget()
  const { store, addPartner, deliver } = hookStage()
  const secret = await addPartner('p1', target.url)
  // Bytes that no parser gives back as they were.
  await store.partnerEvents.add(anEvent('p1', { document: { event: 'swap.settled', venue: 'näh\u2028"\\', slippageBps: 4 } }))
  await deliver()
  await target.close()
  const [{ body, headers }] = target.received as [(typeof target.received)[0]]
  sent = { body: body.toString('base64'), header: String(headers['x-service-signature']), secret }
})

const folders: string[] = []

afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

const hmac = (body: Buffer, secret: string): string => createHmac('sha256', secret).update(body).digest('hex')

describe.each(Object.entries(PROGRAMS))('the webhook verification sample in %s', (_name, { needs, files, run }) => {
  test.skipIf(lacks(...needs))(
    'accepts the exact bytes that the service signed, and rejects altered bodies, secrets and headers [guide-webhook-verification]',
    () => {
      const folder = mkdtempSync(join(tmpdir(), 'verify-'))
      folders.push(folder)
      for (const [file, code] of Object.entries(files)) writeFileSync(join(folder, file), code)
      const raw = Buffer.from(sent.body, 'base64')
      const cases: readonly (readonly [Case, boolean])[] = [
        [sent, true],
        [{ ...sent, body: Buffer.concat([raw, Buffer.from(' ')]).toString('base64') }, false],
        [{ ...sent, body: Buffer.from(raw.toString().replace(':4', ':5')).toString('base64') }, false],
        [{ ...sent, body: Buffer.from(JSON.stringify(JSON.parse(raw.toString()), null, 1)).toString('base64') }, false],
        [{ ...sent, secret: `${sent.secret}x` }, false],
        [{ ...sent, header: '' }, false],
        [{ ...sent, header: sent.header.slice(0, -1) }, false],
        [{ ...sent, header: sent.header.slice('sha256='.length) }, false],
        [{ ...sent, header: `sha1=${hmac(raw, sent.secret)}` }, false],
        [{ ...sent, header: 'sha256=ü' }, false],
      ]
      const told = run(folder, JSON.stringify(cases.map(([one]) => one))).toString()
      expect(JSON.parse(told)).toEqual(cases.map(([, isGenuine]) => isGenuine))
    },
    120_000,
  )
})
