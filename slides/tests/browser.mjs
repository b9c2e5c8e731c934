// Starts a browser without a network for the tests of pages. Contains the checks that all pages need: a page must load
// completely, request nothing from other addresses and write no errors to the console, and its links must have a target.
//
//   await tested(async (browser) => [...faults])    runs a test, prints its faults and sets the exit status
//   const sheet = await open(browser, path)         opens a file, or an address on 127.0.0.1. sheet.page is puppeteer's page.
//                                                   Requests, errors and messages of the page are appended to sheet.faults
//   await faultsOfLinks(sheet)                      returns the links whose targets are missing
//   await unseenFaults(browser, path, broken, faultsOfPage)
//                                                   returns the faults of broken pages that faultsOfPage does not find

import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const build = process.env.BUILD ?? 'build'
const puppeteer = createRequire(resolve(build, 'slides/package.json'))('puppeteer-core')

export const viewport = { width: 1280, height: 720 }
const patience = 300_000 // timeout in ms, long enough for a busy machine

async function start() {
  const args = ['--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1', '--disable-gpu']
  // Chromium does not run as root in its sandbox, and in some containers a sandbox is not possible. Marp tests the same.
  if (process.getuid?.() === 0 || process.env.CHROME_NO_SANDBOX) args.push('--no-sandbox')
  return puppeteer.launch({
    executablePath: execFileSync('sh', ['common/make/pictures/browser.sh']).toString().trim(),
    args,
    timeout: patience,
    protocolTimeout: patience,
    defaultViewport: viewport,
  })
}

/** Prints one line per fault. The exit status is 0 if there are none, otherwise 1. */
export async function tested(test) {
  const browser = await start()
  try {
    const faults = await test(browser)
    for (const fault of faults) console.log(fault)
    process.exitCode = faults.length ? 1 : 0
  } finally {
    await browser.close()
  }
}

const isServed = (path) => path.startsWith('http://127.0.0.1:')

export async function open(browser, path) {
  const page = await browser.newPage()
  page.setDefaultTimeout(patience)
  const faults = []
  const shorten = (url) => url.slice(0, 100)
  const isLocal = (url) => (isServed(path) ? url.startsWith(path) || /^(data|about):/.test(url) : /^(file|data|blob|about):/.test(url))
  page.on('request', (request) => {
    if (!isLocal(request.url())) faults.push(`asks for ${shorten(request.url())}`)
  })
  page.on('requestfailed', (request) => {
    if (isLocal(request.url())) faults.push(`cannot load ${shorten(request.url())}`)
  })
  page.on('console', (message) => {
    if (['error', 'warn'].includes(message.type()) && !/^Failed to load resource/.test(message.text()))
      faults.push(`console: ${message.text()}`)
  })
  page.on('pageerror', (error) => faults.push(`script: ${error.message}`))
  await page.setOfflineMode(!isServed(path))
  await page.goto(isServed(path) ? path : pathToFileURL(resolve(path)).href, { waitUntil: 'load' })
  return { page, path, faults }
}

export async function faultsOfLinks({ page }) {
  const links = await page.evaluate(() => [...new Map([...document.querySelectorAll('a[href]')].map((a) => [a.href, a.textContent.trim()]))])
  const here = (await page.evaluate(() => location.href)).split('#')[0]
  const faults = new Set()
  for (const [href, text] of links) {
    const [file, anchor] = href.split('#')
    if (!file.startsWith('file:')) faults.add(`link "${text}": ${href} needs a network`)
    else if (!existsSync(fileURLToPath(file))) faults.add(`link "${text}": ${fileURLToPath(file)} is not there`)
    else if (file === here && anchor && !(await page.$(`[id="${decodeURIComponent(anchor)}"]`)))
      faults.add(`link "${text}": nothing here is called #${anchor}`)
  }
  return [...faults]
}

/** Each element of `broken` is a list of [from, to, expected]. A broken page is the page at `path` in which each `from` is
 *  replaced by `to`. faultsOfPage must report a fault that contains `expected`; returns the expected texts that it does not. */
export async function unseenFaults(browser, path, broken, faultsOfPage) {
  const whole = readFileSync(path, 'utf8')
  const file = path.replace(/[^/]*$/, 'broken-$&') // in the same folder, so that relative links have a target
  const unseen = []
  try {
    for (const breakages of broken) {
      writeFileSync(file, breakages.reduce((text, [from, to]) => text.replace(from, to), whole))
      const faults = await faultsOfPage(browser, file)
      for (const [, , expected] of breakages)
        if (!faults.some((fault) => fault.includes(expected))) unseen.push(`${path}, broken: not seen: ${expected}`)
    }
  } finally {
    rmSync(file, { force: true })
  }
  return unseen
}
