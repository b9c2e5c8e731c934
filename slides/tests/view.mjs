// Opens the pages of `make view03` and the like in a browser without a network: node slides/tests/view.mjs PAGE.html...
// Loads whole, has its figures, nothing sticks out at 1280 and 400 px, words can be read in the light and in the
// dark, and a line of the source shows its maps: by mouse, and by Tab and Enter alone. First a page with faults, so
// that a test which sees nothing is seen itself.

import { readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { tested, open, faultsOfLinks } from './browser.mjs'

const widths = [1280, 400]
const lineWithMap = '.listing details:has(svg) > summary'

// ---- in the browser ----------------------------------------------------------------------------
function faultsOfStructure() {
  const faults = []
  const count = (selector) => document.querySelectorAll(selector).length
  for (const landmark of ['header', 'main', 'nav[aria-label]', 'h1'])
    if (count(landmark) !== 1) faults.push(`${count(landmark)} of ${landmark}`)
  let level = 0
  for (const heading of document.querySelectorAll('h1, h2, h3, h4, h5, h6')) {
    const now = Number(heading.tagName[1])
    if (now > level + 1 && !heading.closest('details')) faults.push(`${heading.tagName} "${heading.textContent.slice(0, 30)}" after H${level}`)
    level = now
  }
  const ids = [...document.querySelectorAll('[id]')].map((element) => element.id)
  for (const id of new Set(ids)) if (ids.filter((other) => other === id).length > 1) faults.push(`several are called ${id}`)
  for (const svg of document.querySelectorAll('svg')) {
    const words = ['aria-labelledby', 'aria-describedby'].map((name) => document.getElementById(svg.getAttribute(name))?.textContent)
    if (!words[0] || !words[1]) faults.push('a figure has no words for those who cannot see it')
  }
  if (!document.documentElement.lang) faults.push('no language')
  return faults
}

function faultsOfWidth(width) {
  const faults = []
  if (document.documentElement.scrollWidth > width) faults.push(`${document.documentElement.scrollWidth} px wide in ${width}`)
  for (const element of document.querySelectorAll('body *')) {
    if (element.closest('.scroll') && !element.matches('.scroll')) continue
    if (element.matches('.skip')) continue
    const box = element.getBoundingClientRect()
    if (box.width && box.right > width + 1) faults.push(`${element.tagName.toLowerCase()} "${element.textContent.trim().slice(0, 30)}" sticks out at ${width} px`)
  }
  for (const svg of document.querySelectorAll('svg'))
    if (svg.getBoundingClientRect().width < 800) faults.push(`a figure is ${svg.getBoundingClientRect().width} px wide`)
  return faults
}

function faultsOfContrast(scheme) {
  const channel = (v) => (v /= 255) <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4
  const light = ([r, g, b]) => 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b)
  const numbers = (colour) => colour.match(/[\d.]+/g).map(Number)
  const behind = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const colour = numbers(getComputedStyle(at).backgroundColor)
      if (colour.length < 4 || colour[3] > 0) return colour
    }
    return [255, 255, 255]
  }
  const faults = new Set()
  for (const element of document.querySelectorAll('body *:not(svg *)')) {
    const own = [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim())
    if (!own || !element.checkVisibility()) continue
    const pair = [light(numbers(getComputedStyle(element).color)), light(behind(element))].sort((a, b) => b - a)
    const contrast = (pair[0] + 0.05) / (pair[1] + 0.05)
    if (!(contrast >= 4.5)) faults.add(`${scheme}: "${element.textContent.trim().slice(0, 20)}" has a contrast of ${contrast.toFixed(1)}`)
  }
  return [...faults]
}

// ---- lines and their maps ----------------------------------------------------------------------
const shownMaps = (page) =>
  page.$$eval('.listing svg', (all) => all.filter((svg) => svg.checkVisibility()).map((svg) => svg.querySelector('title').textContent + svg.id + svg.getAttribute('aria-labelledby')).join())

async function faultsOfMouse(page) {
  const lines = await page.$$(lineWithMap)
  const seen = [await shownMaps(page)]
  for (const line of lines.slice(0, 3)) {
    await line.click()
    seen.push(await shownMaps(page))
    if (seen.at(-1) === seen.at(-2)) return ['a click on a line changes no map']
  }
  return []
}

async function faultsOfKeyboard(page) {
  await page.reload()
  const before = await shownMaps(page)
  for (let pressed = 0; pressed < 400; pressed++) {
    await page.keyboard.press('Tab')
    const place = await page.evaluate((wanted) => {
      const at = document.activeElement
      return { there: at.matches(wanted), ring: getComputedStyle(at).outlineStyle !== 'none', name: at.textContent.trim().slice(0, 30) }
    }, lineWithMap)
    if (!place.ring) return [`"${place.name}" has the focus and does not show it`]
    if (!place.there) continue
    await page.keyboard.press('Enter')
    return (await shownMaps(page)) === before ? ['Enter on a line changes no map'] : []
  }
  return ['Tab leads to no line with a map']
}

// ---- a page ------------------------------------------------------------------------------------
async function faultsOfPage(browser, path) {
  const sheet = await open(browser, path)
  const { page, faults } = sheet
  const say = (list) => faults.push(...list)
  say(await faultsOfLinks(sheet))
  say(await page.evaluate(faultsOfStructure))
  const mapped = await page.$(lineWithMap)
  if (!mapped) say(['no line has a map'])
  if (mapped) say(await faultsOfMouse(page))
  if (mapped) say(await faultsOfKeyboard(page))
  await page.$$eval('details', (all) => { for (const one of all) one.open = true })
  for (const scheme of ['light', 'dark']) {
    await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }])
    say(await page.evaluate(faultsOfContrast, scheme))
  }
  for (const width of widths) {
    await page.setViewport({ width, height: 900 })
    say(await page.evaluate(faultsOfWidth, width))
  }
  await page.close()
  return faults.map((fault) => `${path}: ${fault}`)
}

// ---- does the test see? ------------------------------------------------------------------------
const breakages = [
  ['</main>', '<img src="https://example.invalid/a.png" alt=""></main>', 'console: '],
  ['</main>', '<a href="#nowhere">nowhere</a></main>', 'link "nowhere": nothing here'],
  ['</main>', '<h2 id="source">again</h2></main>', 'several are called source'],
  ['</main>', '<h6>deep</h6></main>', 'H6 "deep" after'],
  ['</main>', '<p style="width:500px">wide</p></main>', 'p "wide" sticks out at 400 px'],
  ['</main>', '<p style="color:#999">pale</p></main>', 'light: "pale" has a contrast of 2.8'],
  [/<desc[^]*?<\/desc>/, '', 'a figure has no words'],
  ['</style>', '.listing svg{display:none!important}</style>', 'a click on a line changes no map'],
  ['</style>', ':focus-visible{outline:none!important}</style>', 'has the focus and does not show it'],
  [/<figure[^]*?<\/figure>/g, '', 'no line has a map'],
]

async function faultsOfTheTest(browser, path) {
  const whole = readFileSync(path, 'utf8')
  const broken = resolve(process.env.BUILD ?? 'build', 'tests/broken-view.html')
  const faults = []
  for (const [from, to, expected] of breakages) {
    writeFileSync(broken, whole.replace(from, to))
    if (!(await faultsOfPage(browser, broken)).some((fault) => fault.includes(expected))) faults.push(`${path}, broken: not seen: ${expected}`)
  }
  return faults
}

await tested(async (browser) => {
  const pages = process.argv.slice(2)
  if (!pages.length) return ['no page to open']
  const faults = await faultsOfTheTest(browser, pages[0])
  for (const page of pages) faults.push(...(await faultsOfPage(browser, page)))
  console.log(`${pages.length} pages opened`)
  return faults
})
