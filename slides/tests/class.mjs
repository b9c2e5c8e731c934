// Tests the page of a class in a browser without a network: node slides/tests/class.mjs CLASS/class.html
//
// The page must not contain a script; text that students wrote must not be interpreted as HTML; each report must exist. The
// table of students must be sortable with the mouse and with the keyboard. The test is first run on pages with known faults,
// and fails if it does not find them.

import { tested, open, faultsOfLinks, unseenFaults } from './browser.mjs'
import { faultsOfStructure, faultsOfLook } from './page.mjs'

// ---- the order of the students -------------------------------------------------------------------
const shown = (page) =>
  page.evaluate(() =>
    [...document.querySelectorAll('.sheet table')].filter((table) => table.checkVisibility()).map((table) => ({
      ids: [...table.querySelectorAll('tbody th a')].map((a) => a.textContent),
      totals: [...table.querySelectorAll('tbody td:last-child')].map((td) => parseInt(td.textContent)),
      sorted: table.querySelectorAll('[aria-sort]').length,
    })))

async function faultsOfOrder(page) {
  const [byId, ...more] = await shown(page)
  if (!byId || more.length) return ['not one table of students, but ' + (byId ? 1 + more.length : 0)]
  const faults = []
  if (byId.ids.join() !== [...byId.ids].sort().join()) faults.push('the ids are not in order')
  await page.click('.sheet > label:last-of-type')
  const [byTotal] = await shown(page)
  if (byTotal?.totals.some((total, i) => i && total > byTotal.totals[i - 1])) faults.push('the totals are not in order')
  if (byTotal?.ids.join() === byId.ids.join()) faults.push('a click on "total" changes no order')
  if (byTotal?.ids.slice().sort().join() !== byId.ids.join()) faults.push('somebody is missing in an order')
  if (byTotal?.sorted !== 1) faults.push('the order is not said')
  return faults
}

async function faultsOfKeyboard(page) {
  await page.reload()
  const [before] = await shown(page)
  for (let pressed = 0; pressed < 50; pressed++) {
    // After ten links, skips to the last link of the section with the ungraded students.
    if (pressed === 10) await page.evaluate(() => [...document.querySelectorAll('#ungraded a')].filter((a) => a.checkVisibility()).at(-1).focus())
    await page.keyboard.press('Tab')
    const place = await page.evaluate(() => {
      const at = document.activeElement, seen = at.matches('.sheet > input') ? at.nextElementSibling : at
      return { order: at !== seen, ring: getComputedStyle(seen).outlineStyle !== 'none', name: seen.textContent.trim().slice(0, 30) }
    })
    if (!place.ring) return [`"${place.name}" has the focus and does not show it`]
    if (!place.order) continue
    await page.keyboard.press('ArrowRight')
    const [after] = await shown(page)
    return after?.ids.join() === before?.ids.join() ? ['an arrow on the order changes nothing'] : []
  }
  return ['Tab leads to no order']
}

// ---- a page ------------------------------------------------------------------------------------
async function faultsOfPage(browser, path) {
  const sheet = await open(browser, path)
  const { page, faults } = sheet
  const say = (list) => faults.push(...list)
  say(await faultsOfLinks(sheet))
  say(await faultsOfStructure(page))
  if (await page.$('script, img, iframe')) say(['there is more on it than text'])
  say(await faultsOfOrder(page))
  say(await faultsOfKeyboard(page))
  say(await faultsOfLook(page))
  await page.close()
  return faults.map((fault) => `${path}: ${fault}`)
}

// ---- pages with known faults --------------------------------------------------------------------
// Each element is a page with one or several faults: [from, to, expected], as in unseenFaults.
const broken = [
  [
    ['</main>', '<script></script></main>', 'more on it than text'],
    ['</main>', '<a href="reports/nobody.txt">nobody</a></main>', 'nobody.txt is not there'],
    ['</main>', '<p style="width:500px">wide</p></main>', 'p "wide" sticks out at 390 px'],
    ['<tbody>', '<tbody><tr><td style="color:#999">pale</td></tr>', 'has a contrast of 2.8'],
    ['<th scope=row>', '<th scope=row><a href="#students">z</a>', 'the ids are not in order'],
    [/ aria-sort="descending"/g, '', 'the order is not said'],
    ['</style>', '.sheet>:focus-visible+label{outline:none!important}</style>', 'has the focus and does not show it'],
  ],
  [[/:checked~/g, ':checked+', 'not one table of students, but 0']],
  [['.sheet .scroll{display:none}', '', 'not one table of students, but ']],
]

await tested(async (browser) => {
  const [path] = process.argv.slice(2)
  const faults = await unseenFaults(browser, path, broken, faultsOfPage)
  faults.push(...(await faultsOfPage(browser, path)))
  return faults
})
