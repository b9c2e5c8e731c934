// A browser without a network for the tests of pages, and what every page is asked: does it load whole, say
// nothing on its console, want nothing from elsewhere, and lead nowhere that is not there?
//
//   await tested(async (browser) => [...faults])    runs a test and ends the process with its status
//   const sheet = await open(browser, path)         sheet.page is puppeteer's; sheet.faults grows as it misbehaves;
//                                                   path: of a file, or an address that a program serves on 127.0.0.1
//   await faultsOfLinks(sheet)                      targets of links that are missing
//   await unseenFaults(browser, path, broken, faultsOfPage)
//                                                   does the test see what is wrong with a page?

import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const build = process.env.BUILD ?? 'build'
const puppeteer = createRequire(resolve(build, 'slides/package.json'))('puppeteer-core')

export const viewport = { width: 1280, height: 720 }
const patience = 300_000 // ms: what takes so long does not come, on however busy a machine

async function start() {
  const args = ['--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1', '--disable-gpu']
  // Chromium refuses to be root in its sandbox, and some containers have none; Marp asks the same.
  if (process.getuid?.() === 0 || process.env.CHROME_NO_SANDBOX) args.push('--no-sandbox')
  return puppeteer.launch({
    executablePath: execFileSync('sh', ['common/make/pictures/browser.sh']).toString().trim(),
    args,
    timeout: patience,
    protocolTimeout: patience,
    defaultViewport: viewport,
  })
}

/** One line per fault, and how many there are; status 0 without any. */
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

/** Each of `broken` is a page, made from that at `path` by [from, to, what must be said of it]. */
export async function unseenFaults(browser, path, broken, faultsOfPage) {
  const whole = readFileSync(path, 'utf8')
  const file = path.replace(/[^/]*$/, 'broken-$&') // beside it: its links lead somewhere
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
