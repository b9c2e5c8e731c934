// Tests the pages of `make view` in a browser without a network: node slides/tests/view.mjs PAGE.html...
// A page must load completely, with its figures. Nothing may extend beyond a window of 1280 or 390 px, and text must be readable
// in light and dark mode. A line of the source must show its maps with the mouse and with the keyboard, and the numbers of the
// chosen kernel. The test is first run on pages with known faults, and fails if it does not find them.

import { readFileSync } from 'node:fs'
import { tested, open, faultsOfLinks, unseenFaults } from './browser.mjs'
import { faultsOfStructure, faultsOfLook } from './page.mjs'

// Selects the lines that have maps. opensMap tells whether a line has a map of the chosen kernel.
const lineWithMap = '.listing details:has(svg) > summary'
const opensMap = (summary) => [...summary.parentElement.querySelectorAll('figure')].some((figure) => getComputedStyle(figure).display !== 'none')

// ---- lines and their maps ----------------------------------------------------------------------
const shownMaps = (page) =>
  page.$$eval('.listing svg', (all) => all.filter((svg) => svg.checkVisibility()).map((svg) => svg.querySelector('title').textContent + svg.id + svg.getAttribute('aria-labelledby')).join())

async function faultsOfMouse(page) {
  const lines = []
  for (const line of await page.$$(lineWithMap)) if (await line.evaluate(opensMap)) lines.push(line)
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
    const place = await page.evaluate((wanted, opens) => {
      const at = document.activeElement
      return { there: at.matches(wanted) && new Function('s', `return (${opens})(s)`)(at), ring: getComputedStyle(at).outlineStyle !== 'none', name: at.textContent.trim().slice(0, 30) }
    }, lineWithMap, opensMap.toString())
    if (!place.ring) return [`"${place.name}" has the focus and does not show it`]
    if (!place.there) continue
    await page.keyboard.press('Enter')
    return (await shownMaps(page)) === before ? ['Enter on a line changes no map'] : []
  }
  return ['Tab leads to no line with a map']
}

// ---- the choice of a kernel --------------------------------------------------------------------
// Each line must show the numbers of at most one kernel. If another kernel is chosen, the numbers must change.
async function faultsOfChoice(page) {
  const shown = () => page.$$eval('.listing summary', (all) => all.map((line) => [...line.querySelectorAll('.k')].filter((cells) => getComputedStyle(cells).display !== 'none').map((cells) => cells.className + cells.textContent)))
  const kernels = await page.$$('.pick input')
  const seen = []
  for (const kernel of kernels.slice(0, 2)) {
    await kernel.click()
    seen.push(await shown())
  }
  if (kernels.length && seen[0].join() === seen[1].join()) return ['another kernel has the same numbers']
  return seen.flat().some((line) => line.length > 1) ? ['a line shows the numbers of several kernels'] : []
}

// ---- a page ------------------------------------------------------------------------------------
async function faultsOfPage(browser, path) {
  const sheet = await open(browser, path)
  const { page, faults } = sheet
  const say = (list) => faults.push(...list)
  say(await faultsOfLinks(sheet))
  say(await faultsOfStructure(page))
  const mapped = await page.$(lineWithMap)
  if (!mapped) say(['no line has a map'])
  if (mapped) say(await faultsOfMouse(page))
  if (mapped) say(await faultsOfKeyboard(page))
  say(await faultsOfChoice(page))
  say(await faultsOfLook(page))
  await page.close()
  return faults.map((fault) => `${path}: ${fault}`)
}

// ---- pages with known faults --------------------------------------------------------------------
// The faults in `together` are tested on one page. Each fault in `alone` is tested on a page of its own.
const together = [
  ['</main>', '<img src="https://example.invalid/a.png" alt=""></main>', 'console: '],
  ['</main>', '<a href="#nowhere">nowhere</a></main>', 'link "nowhere": nothing here'],
  ['</main>', '<h2 id="source">again</h2></main>', 'several are called source'],
  ['</main>', '<h6>deep</h6></main>', 'H6 "deep" after'],
  ['</main>', '<p style="width:500px">wide</p></main>', 'p "wide" sticks out at 390 px'],
  ['</main>', '<p style="color:#999">pale</p></main>', 'light: "pale" has a contrast of 2.8'],
  ['</style>', 'svg text{fill:#999!important}</style>', ' of a figure has a contrast of 2.'],
  [/<desc[^]*?<\/desc>/, '', 'a figure has no words'],
]
const alone = [
  ['</style>', '.listing svg{display:none!important}</style>', 'a click on a line changes no map'],
  ['</style>', ':focus-visible{outline:none!important}</style>', 'has the focus and does not show it'],
  [/<figure[^]*?<\/figure>/g, '', 'no line has a map'],
]

// This fault is tested on the first page that has several kernels.
const choice = [[/\.pick:has/g, '.picked:has', 'another kernel has the same numbers']]
async function faultsOfChoiceAlone(browser, path) {
  const { page } = await open(browser, path)
  const faults = await faultsOfChoice(page)
  await page.close()
  return faults
}

await tested(async (browser) => {
  const pages = process.argv.slice(2)
  if (!pages.length) return ['no page to open']
  const faults = await unseenFaults(browser, pages[0], [together, ...alone.map((one) => [one])], faultsOfPage)
  const chosen = pages.find((page) => readFileSync(page, 'utf8').includes('class="pick"'))
  faults.push(...(chosen ? await unseenFaults(browser, chosen, [choice], faultsOfChoiceAlone) : ['no page has a kernel to choose']))
  for (const page of pages) faults.push(...(await faultsOfPage(browser, page)))
  console.log(`${pages.length} pages opened`)
  return faults
})
