// The checks of all pages that are not decks. Headings and landmarks must be in order, and figures must have a text
// alternative. Nothing may extend beyond a window of 1280 or 390 px. Text must have enough contrast in light and dark mode.
//
//   await faultsOfStructure(page)
//   await faultsOfLook(page)        opens all <details> elements, and leaves the window 390 px wide

const widths = [1280, 390]

// ---- in the browser ----------------------------------------------------------------------------
function structure() {
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

function breadth(width) {
  const faults = []
  if (document.documentElement.scrollWidth > width) faults.push(`${document.documentElement.scrollWidth} px wide in ${width}`)
  for (const element of document.querySelectorAll('body *')) {
    if (element.closest('.scroll') && !element.matches('.scroll')) continue
    if (element.matches('.skip')) continue
    const box = element.getBoundingClientRect()
    if (box.width && box.right > width + 1) faults.push(`${element.tagName.toLowerCase()} "${element.textContent.trim().slice(0, 30)}" sticks out at ${width} px`)
  }
  for (const svg of document.querySelectorAll('figure:not(.small, .orders) svg'))
    if (svg.checkVisibility() && svg.getBoundingClientRect().width < 800) faults.push(`a figure is ${svg.getBoundingClientRect().width} px wide`)
  return faults
}

function contrasts(scheme) {
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
  // For text in a figure, the background is the last box that was painted under the middle of the text.
  for (const svg of document.querySelectorAll('svg')) {
    if (!svg.checkVisibility()) continue
    const boxes = []
    for (const element of svg.querySelectorAll('rect, text')) {
      const fill = getComputedStyle(element).fill, place = element.getBoundingClientRect()
      if (!fill.startsWith('rgb')) continue
      if (element.tagName === 'rect') boxes.push([place, light(numbers(fill))])
      if (element.tagName === 'rect' || !element.textContent.trim()) continue
      const x = place.x + place.width / 2, y = place.y + place.height / 2
      const below = boxes.findLast(([box]) => x > box.left && x < box.right && y > box.top && y < box.bottom)
      const pair = [light(numbers(fill)), below ? below[1] : light(behind(svg))].sort((a, b) => b - a)
      const contrast = (pair[0] + 0.05) / (pair[1] + 0.05)
      if (!(contrast >= 4.5)) faults.add(`${scheme}: "${element.textContent.trim().slice(0, 20)}" of a figure has a contrast of ${contrast.toFixed(1)}`)
    }
  }
  return [...faults]
}

// ---- the exported checks ------------------------------------------------------------------------
export const faultsOfStructure = (page) => page.evaluate(structure)

export async function faultsOfLook(page) {
  const faults = []
  await page.evaluate(() => { for (const one of document.querySelectorAll('details')) one.open = true })
  for (const scheme of ['light', 'dark']) {
    await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }])
    faults.push(...(await page.evaluate(contrasts, scheme)))
  }
  for (const width of widths) {
    await page.setViewport({ width, height: 900 })
    faults.push(...(await page.evaluate(breadth, width)))
  }
  return faults
}
