// Shows one block of a kernel step by step. A request names an order of the warps. The server runs the program in this order
// and answers with all steps of the block (common/step/show.c); tape.js reads the answer. The page moves a cursor along the
// steps. If the student chooses another warp, the page requests the steps before the cursor, followed by one step of that warp.
'use strict'

const TURNS = 60_000 // maximum length of an order in a request, in characters
const ROWS = 32, COLUMNS = 40 // maximum size of a table; a larger array is shown in part

const $ = (id) => document.getElementById(id)
let start // the first answer of the server: the source, the launches and the reports
let tape // the run that the page shows
let cursor = 0 // number of steps of the run that have been executed on the page
let chosen = 0 // the warp that executes the next step
let moves = [] // results of present() before each move, for the button that goes back
let last = { from: 0, to: 0 } // the range of steps in the last move
let tables = [] // one table for each array
let busy = false

// ---- texts -------------------------------------------------------------------------------------
function element(name, properties = {}, ...children) {
  const made = document.createElement(name)
  for (const [key, value] of Object.entries(properties))
    if (key in made && !key.startsWith('aria')) made[key] = value
    else made.setAttribute(key, value)
  made.append(...children)
  return made
}

const plural = (count, one) => `${count} ${one}${count === 1 ? '' : 's'}`

// Returns a sorted list of numbers as text: [0, 1, 2, 5] gives "0–2, 5".
function ranges(numbers) {
  const parts = []
  for (let i = 0; i < numbers.length; ) {
    let end = i
    while (end + 1 < numbers.length && numbers[end + 1] === numbers[end] + 1) end++
    parts.push(end > i ? `${numbers[i]}–${numbers[end]}` : `${numbers[i]}`)
    i = end + 1
  }
  return parts.join(', ')
}

const sourceLine = (line) => plain((start.lines[line - 1] ?? '').trim())

// ---- memory at the cursor ----------------------------------------------------------------------
// Returns the contents of memory after the first `end` steps, as one map per array: word -> {hex, step, lane}. `step` and
// `lane` stored the value; step is -1 if the word had this value before the block.
function memoryAt(end) {
  const memory = tape.shapes.map((shape) => new Map([...shape.first].map(([index, hex]) => [index, { hex, step: -1 }])))
  for (let i = 0; i < end; i++) {
    const { access } = tape.steps[i]
    if (!access || access.operation === READS || !memory[access.array]) continue
    for (const [lane, index, hex] of wordsOf(access, tape.shapes[access.array])) memory[access.array].set(index, { hex, step: i, lane })
  }
  return memory
}

// ---- positions of the warps --------------------------------------------------------------------
const warpCount = () => Math.ceil(tape.threads / LANES)

// Returns the position of each warp, {state: 'ready' | 'waits' | 'done', line, lanes}. `line` is the line that the warp
// executes next, or the line of the barrier at which it waits.
function placesOf() {
  const places = Array.from({ length: warpCount() }, () => ({ state: 'done', line: 0, lanes: 0 }))
  const seen = new Set()
  let met = false
  for (let i = cursor; i < tape.steps.length && seen.size < places.length; i++) {
    const step = tape.steps[i]
    if (!seen.has(step.warp)) {
      seen.add(step.warp)
      places[step.warp] = { state: 'ready', line: step.line, lanes: step.lanes, met }
    }
    met = met || step.barrier
  }
  // A warp that has reached a barrier waits there if its next step is executed after the barrier.
  for (let i = 0; i < cursor; i++) {
    const step = tape.steps[i], place = places[step.warp]
    if (step.barrier) for (const one of places) one.at = undefined
    else place.at = step.meets ? step : undefined
  }
  for (const place of places)
    if (place.at && (place.state === 'done' || place.met)) Object.assign(place, { state: 'waits', line: place.at.line, lanes: place.at.lanes })
  return places
}

// ---- sentences ---------------------------------------------------------------------------------
function accessText(access) {
  const shape = tape.shapes[access.array]
  const verb = access.operation === READS ? 'loaded' : access.operation === WRITES ? 'stored' : 'changed'
  if (!shape) return `${verb} memory`
  const words = [...wordsOf(access, shape)].map(([, index, hex]) => `${nameOf(shape, index)}${hex ? ` = ${valueText(hex, shape.type)}` : ''}`)
  const different = [...new Set(words)]
  if (different.length === 1) return `${verb} ${different[0]}${words.length > 1 ? ` in ${plural(words.length, 'lane')}` : ''}`
  return `${verb} ${plural(different.length, 'word')}: ${different[0]} to ${different.at(-1)}`
}

// Returns the end of a sentence about a load: the warp and the line that stored the loaded words, and how many times the warp
// had executed that line. Returns '' if not all words were stored by one other warp at one line.
function originText(step) {
  const shape = tape.shapes[step.access.array]
  if (step.access.operation !== READS || !shape) return ''
  const memory = memoryAt(tape.steps.indexOf(step))[step.access.array]
  const origins = [...new Set([...wordsOf(step.access, shape)].map(([, index]) => memory.get(index)?.step))].map((at) => tape.steps[at])
  const [one] = origins
  if (!one || one.warp === step.warp || origins.some((other) => other?.warp !== one.warp || other.line !== one.line)) return ''
  const visits = tape.steps.slice(0, tape.steps.indexOf(origins.at(-1)) + 1).filter((other) => other.access?.operation === one.access.operation && other.access.array === one.access.array && other.warp === one.warp && other.line === one.line).length
  const what = new Set([...wordsOf(step.access, shape)].map(([, index]) => index)).size > 1 ? 'them' : 'it'
  return `, as warp ${one.warp} had stored ${visits > 1 ? `${what} at line ${one.line} the ${visits}${['th', 'st', 'nd', 'rd'][visits % 10 > 3 || (visits > 10 && visits < 20) ? 0 : visits % 10]} time` : `${what} at line ${one.line}`}`
}

// Describes the last access of the steps, which are all of one warp.
function didText(steps) {
  const accesses = steps.filter((step) => step.access)
  const { warp, line } = accesses.at(-1) ?? steps.at(-1)
  if (!accesses.length) return `Warp ${warp} did line ${line}`
  const count = accesses.length > 1 ? ' (its last access of several)' : ''
  return `Warp ${warp} ${accessText(accesses.at(-1).access)} at line ${line}${originText(accesses.at(-1))}${count}`
}

function meetingText(step, places) {
  if (!step.meets) return ''
  if (step.barrier) return ` It came to the barrier of line ${step.line} last: all threads have met there and go on.`
  const missing = places.filter((place) => place.state === 'ready').length
  return places[step.warp].state === 'waits' ? ` It waits at the barrier of line ${step.line} for ${plural(missing, 'other warp')}.` : ''
}

function wrongText() {
  for (const shape of tape.shapes) {
    const wrong = shape.array.wrong
    if (!wrong || wrong.bytes !== shape.size) continue
    const own = wrong.at.filter(([index]) => shape.touched.has(index))
    if (!own.length) return ` All numbers of ${shortName(shape.array)} that this block stored are right.`
    const [index, right] = own[0], cell = memoryAt(cursor)[tape.shapes.indexOf(shape)].get(index)
    return ` ${plural(own.length, 'number')} of ${shortName(shape.array)} ${own.length === 1 ? 'is' : 'are'} wrong: ${nameOf(shape, index)} is ${cell ? valueText(cell.hex, shape.type) : 'not stored'}, right is ${Number(right.toPrecision(4))}.`
  }
  return ''
}

const endText = () => (cursor < tape.steps.length ? '' : tape.shown.whole ? ` The block has ended.${wrongText()}` : ` The launch was stopped here${tape.shown.mistake ? `: ${plain(tape.shown.mistake)}` : ''}.`)

function setBusy(now) {
  busy = now
  document.querySelector('main').setAttribute('aria-busy', String(now))
}

function say(text) {
  $('said').textContent = text
}

// ---- the page ----------------------------------------------------------------------------------
function showSource(places) {
  const here = new Map()
  for (const [warp, place] of places.entries()) if (place.state !== 'done' && warp !== chosen) here.set(place.line, [...(here.get(place.line) ?? []), warp])
  const own = places[chosen].state === 'done' ? 0 : places[chosen].line
  for (const [i, row] of [...$('code').children].entries()) {
    const line = i + 1, marks = row.querySelector('.marks')
    marks.replaceChildren()
    if (line === own) marks.append(element('b', {}, `▶ ${chosen} `))
    if (here.has(line)) marks.append(ranges(here.get(line)))
    if (line === own) row.setAttribute('aria-current', 'step')
    else row.removeAttribute('aria-current')
  }
  const row = $('code').children[own - 1], box = $('code')
  if (row && (row.offsetTop < box.scrollTop || row.offsetTop + row.offsetHeight > box.scrollTop + box.clientHeight)) box.scrollTop = row.offsetTop - box.clientHeight / 3
  if (own && !box.contains(document.activeElement)) focusableLine(own)
}

// The tab key reaches only one of the line numbers; the arrow keys move to the others. Makes `line` the line number that the
// tab key reaches.
function focusableLine(line) {
  for (const button of $('code').querySelectorAll('button[tabindex="0"]')) button.tabIndex = -1
  const button = $('code').children[line - 1]?.querySelector('button')
  if (button) button.tabIndex = 0
  return button
}

function showWarps(places) {
  const list = $('warp-list')
  if (list.children.length !== places.length)
    list.replaceChildren(
      ...places.map((_, warp) => {
        const lanes = element('span', { className: 'lanes', 'aria-hidden': 'true' }, ...lanesOf(-1).map(() => element('i')))
        return element('label', { className: 'warp' }, element('input', { type: 'radio', name: 'warp', value: String(warp) }), element('span', { className: 'name' }, `warp ${warp}`), element('span', { className: 'state' }), lanes)
      }),
    )
  for (const [warp, place] of places.entries()) {
    const row = list.children[warp], left = tape.threads - warp * LANES
    const active = place.state === 'done' ? 0 : place.lanes
    row.querySelector('input').checked = warp === chosen
    row.querySelector('.state').textContent = place.state === 'done' ? 'done' : place.state === 'waits' ? `waits, line ${place.line}` : `line ${place.line}`
    for (const [lane, square] of [...row.querySelector('.lanes').children].entries()) square.className = lane >= left ? 'none' : (active >>> lane) & 1 ? 'on' : ''
    row.querySelector('input').setAttribute('aria-label', `warp ${warp}, ${place.state === 'done' ? 'done' : `${place.state === 'waits' ? 'waits at' : 'before'} line ${place.line}, active lanes ${ranges(lanesOf(active))}`}`)
  }
  const row = list.children[chosen]
  if (row.offsetTop < list.scrollTop || row.offsetTop + row.offsetHeight > list.scrollTop + list.clientHeight) list.scrollTop = row.offsetTop - row.offsetHeight
}

// Returns the part of an array that its table shows. If the word with index `accessed` is outside the part, moves the
// part so that it contains the word.
function partOf(shape, table, accessed) {
  const width = shape.dimensions?.length > 1 ? shape.dimensions.at(-1) : LANES
  const rows = [...new Set([...shape.touched].map((index) => Math.floor(index / width)))].sort((a, b) => a - b)
  const columns = [...shape.touched].reduce(([low, high], index) => [Math.min(low, index % width), Math.max(high, index % width)], [width, 0])
  let top = table?.top ?? 0, left = table?.left ?? columns[0]
  if (accessed !== undefined) {
    const row = rows.indexOf(Math.floor(accessed / width)), column = accessed % width
    if (row < top || row >= top + ROWS) top = Math.max(0, Math.min(row, rows.length - ROWS))
    if (column < left || column >= left + COLUMNS) left = Math.max(columns[0], Math.min(column, columns[1] + 1 - COLUMNS))
  }
  return { width, top, left, rows: rows.slice(top, top + ROWS), columns: Array.from({ length: Math.min(columns[1], left + COLUMNS - 1) - left + 1 }, (_, i) => left + i), whole: rows.length <= ROWS && columns[1] - columns[0] < COLUMNS, size: shape.touched.size }
}

function makeTable(number, shape, part) {
  const cells = new Map()
  const flat = !(shape.dimensions?.length > 1)
  const head = element('tr', {}, element('td', { className: 'corner', 'aria-hidden': 'true' }), ...part.columns.map((column) => element('th', { scope: 'col' }, flat ? `+${column}` : `[${column}]`)))
  const rows = part.rows.map((row) =>
    element(
      'tr',
      {},
      element('th', { scope: 'row' }, flat ? String(row * part.width) : `[${row}]`),
      ...part.columns.map((column) => {
        const index = row * part.width + column, cell = element('td', { tabIndex: -1 })
        cell.dataset.at = `${number} ${index}`
        if (shape.touched.has(index)) cells.set(index, cell)
        return cell
      }),
    ),
  )
  const title = `${shortName(shape.array)}, ${shape.array.space === 'shared' ? 'shared memory of this block' : 'global memory'}${part.whole ? '' : ', a part'}`
  const table = element('table', { role: 'grid', 'aria-label': title }, element('thead', {}, head), element('tbody', {}, ...rows))
  const box = element('div', { className: 'scroll memory-table' }, table)
  const first = table.querySelector('tbody td')
  if (first) first.tabIndex = 0
  return { ...part, cells, box, heading: element('h3', {}, title) }
}

// Returns true if two parts have the same words, so that the table does not have to be built again.
const samePart = (a, b) => a && ['width', 'rows', 'columns', 'size'].every((key) => String(a[key]) === String(b[key]))

function scrollToCell(box, cell) {
  const row = cell.offsetTop, column = cell.offsetLeft, edge = 60
  if (row - edge / 2 < box.scrollTop || row + cell.offsetHeight > box.scrollTop + box.clientHeight) box.scrollTop = row - box.clientHeight / 2
  if (column - edge < box.scrollLeft || column + cell.offsetWidth > box.scrollLeft + box.clientWidth) box.scrollLeft = column - edge
}

// Returns the words of an array that the last move accessed, as a map: word -> 'loaded' or 'stored'; and the first word. Only
// accesses by the warp of the last step count.
function accessedIn(number) {
  const words = new Map()
  let first
  const by = tape.steps[last.to - 1]?.warp
  for (let i = last.from; i < last.to; i++) {
    const { access, warp } = tape.steps[i]
    if (!access || access.array !== number || warp !== by) continue
    let lowest
    for (const [, index] of wordsOf(access, tape.shapes[number])) {
      lowest ??= index
      if (access.operation !== READS || !words.has(index)) words.set(index, access.operation === READS ? 'loaded' : 'stored')
    }
    first = lowest
  }
  return [words, first]
}

function showMemory() {
  const memory = memoryAt(cursor), ended = cursor === tape.steps.length
  const shown = []
  for (const [number, shape] of tape.shapes.entries()) {
    if (!shape.touched.size) continue
    const [accessed, first] = accessedIn(number)
    const part = partOf(shape, tables[number], first)
    if (!samePart(tables[number], part)) tables[number] = makeTable(number, shape, part)
    const table = tables[number]
    const wrong = new Map(ended && shape.array.wrong?.bytes === shape.size ? shape.array.wrong.at : [])
    for (const [index, cell] of table.cells) {
      const word = memory[number].get(index), text = word ? valueText(word.hex, shape.type, 3) : '·'
      const mark = `${accessed.get(index) ?? ''}${wrong.has(index) ? ' wrong' : ''}`
      if (cell.textContent !== text) cell.textContent = text
      if (cell.className !== mark) cell.className = mark
    }
    table.goes = table.cells.get(first)
    table.rank = shape.array.space === 'shared' ? 0 : shape.stored ? 1 : 2
    shown.push(table)
  }
  shown.sort((a, b) => a.rank - b.rank)
  const boxes = $('arrays').querySelectorAll('.memory-table')
  if (boxes.length !== shown.length || shown.some((table, i) => table.box !== boxes[i])) $('arrays').replaceChildren(...shown.flatMap((table) => [table.heading, table.box]))
  for (const table of shown) if (table.goes) scrollToCell(table.box, table.goes)
}

function showNext(places) {
  const place = places[chosen]
  $('next').replaceChildren()
  if (place.state === 'ready') $('next').append(`Next: warp ${chosen}, ${place.lanes === -1 || lanesOf(place.lanes).length === LANES ? 'all lanes' : `lanes ${ranges(lanesOf(place.lanes))}`}, line ${place.line}: `, element('code', {}, sourceLine(place.line)))
  else if (place.state === 'waits') $('next').append(`Warp ${chosen} waits at the barrier of line ${place.line}. Choose another warp, or let all come there: b.`)
  else $('next').append(`Warp ${chosen} has ended.`)
}

function show() {
  const places = placesOf()
  $('word').textContent = ''
  showSource(places)
  showWarps(places)
  showMemory()
  showNext(places)
  for (const [id, off] of [['back', !moves.length], ['restart', !moves.length && !cursor], ['line', places[chosen].state !== 'ready'], ['access', places[chosen].state !== 'ready'], ['barrier', cursor === tape.steps.length]]) $(id).setAttribute('aria-disabled', String(off))
  return places
}

// Writes the value of a word and the thread that stored it. `at` is "ARRAY INDEX".
function tellWord(at) {
  const [number, index] = at.split(' ').map(Number), shape = tape.shapes[number]
  const word = memoryAt(cursor)[number].get(index), name = nameOf(shape, index)
  if (!word) {
    $('word').textContent = `${name}: nothing was stored there yet.`
    return
  }
  const value = valueText(word.hex, shape.type), wrong = cursor === tape.steps.length && shape.array.wrong?.at.find(([other]) => other === index)
  const end = wrong ? ` Right is ${Number(wrong[1].toPrecision(4))}.` : ''
  if (word.step < 0) $('word').textContent = `${name} = ${value}: it was there before this block.${end}`
  else {
    const { warp, line } = tape.steps[word.step], [x, y] = tape.shown.block, thread = warp * LANES + word.lane
    $('word').textContent = `${name} = ${value}, stored by warp ${warp}, lane ${word.lane} (thread ${[thread % x, Math.floor(thread / x) % y, Math.floor(thread / x / y)].join(',')}) at line ${line}.${end}`
  }
}

// ---- the server --------------------------------------------------------------------------------
const tapes = new Map()

// Returns the run that begins with these turns. If there is none, shows the reason and returns undefined.
async function fetchTape(turns) {
  const query = new URLSearchParams({ launch: $('launch').value, block: $('block').value, turns })
  const key = query.toString()
  if (tapes.has(key)) return tapes.get(key)
  let shown
  try {
    const answer = await fetch(`block?${key}`)
    shown = answer.ok ? await answer.json() : { refused: await answer.text() }
  } catch {
    shown = { refused: 'The program that serves this page does not answer. Was it ended?' }
  }
  if (shown.refused) {
    say(plain(shown.refused))
    return
  }
  const steps = readSteps(shown), parameters = parametersOf(shown.kernel)
  for (const array of shown.arrays) if (array.argument) array.name = parameters[array.argument - 1] ?? array.name
  const made = { shown, steps, shapes: shapesOf(steps, shown.arrays), threads: shown.block[0] * shown.block[1] * shown.block[2] }
  if (tapes.size > 40) tapes.delete(tapes.keys().next().value)
  tapes.set(key, made)
  return made
}

// Returns the first `end` steps as turns, [warp, number of steps]. In a request, turns are written as "0*12
// 3*1".
function turnsOf(end) {
  const turns = []
  for (let i = 0; i < end; i++) {
    const { warp } = tape.steps[i]
    if (turns.at(-1)?.[0] === warp) turns.at(-1)[1]++
    else turns.push([warp, 1])
  }
  return turns
}

// Makes sure that the chosen warp executes the next step. If another warp executes the next step, fetches a run in which the
// chosen warp executes it. If the chosen warp cannot continue, shows the reason and returns false.
async function ensure(places) {
  if (places[chosen].state !== 'ready') {
    showNext(places)
    say($('next').textContent)
    return false
  }
  if (tape.steps[cursor].warp === chosen) return true
  const turns = [...turnsOf(cursor), [chosen, 1]].map(([warp, steps]) => `${warp}*${steps}`).join(' ')
  if (turns.length > TURNS) {
    say('The warps have taken turns too often: go back, or begin anew.')
    return false
  }
  const other = await fetchTape(turns)
  if (!other) return false
  const same = tape.steps.slice(0, cursor).every((step, i) => ['warp', 'line', 'lanes'].every((key) => step[key] === other.steps[i]?.[key]))
  if (!same) say('This program does not do the same in each run: the steps so far come out otherwise now.')
  else if (other.steps[cursor]?.warp !== chosen) say(`Warp ${chosen} cannot go on now: it waits for other threads.`)
  else {
    tape = other
    return true
  }
  return false
}

// ---- moves -------------------------------------------------------------------------------------
// Returns the state to which a move back returns.
const present = () => ({ tape, cursor, chosen, last, parts: tables.map((table) => table && { top: table.top, left: table.left }) })

function moveTo(end, before) {
  moves.push(before)
  last = { from: cursor, to: end }
  cursor = end
}

function tell() {
  const places = show(), steps = tape.steps.slice(last.from, last.to), at = steps.at(-1)
  if (steps.every((step) => step.warp === at.warp)) say(`${didText(steps)}.${meetingText(at, places)}${endText()}`)
  else if (at.barrier) say(`All warps have come to the barrier of line ${at.line} and go on.`)
  else say(`${didText(steps.filter((step) => step.warp === at.warp))}.${endText()}`)
}

// Returns the number of steps after which the chosen warp has executed its line.
function endOfLine() {
  const { line, lanes } = tape.steps[cursor]
  let end = cursor
  do end++
  while (end < tape.steps.length && !tape.steps[end - 1].meets && tape.steps[end].warp === chosen && tape.steps[end].line === line && tape.steps[end].lanes === lanes)
  return end
}

function endOfAccess() {
  let end = cursor
  do end++
  while (end < tape.steps.length && tape.steps[end].warp === chosen && !tape.steps[end - 1].access && !tape.steps[end - 1].meets)
  return end
}

// Makes one move. Ignores a key that is pressed during a move, so that a key held down does not queue requests.
async function move(findEnd) {
  if (busy || !tape) return
  setBusy(true)
  try {
    const before = present()
    if (await ensure(placesOf())) {
      moveTo(findEnd(), before)
      tell()
    }
  } finally {
    setBusy(false)
  }
}

function allToBarrier() {
  if (busy || !tape) return
  if (cursor === tape.steps.length) return say(`The block has ended.${wrongText()}`)
  let end = cursor
  do end++
  while (end < tape.steps.length && !tape.steps[end - 1].barrier)
  moveTo(end, present())
  tell()
}

// Moves until the chosen warp reaches the line. If the chosen warp waits at a barrier, the other warps are executed too.
async function runTo(line) {
  if (busy || !tape) return
  if (placesOf()[chosen].state === 'waits' && tape.steps.slice(cursor).some((step) => step.warp === chosen)) return advanceTo(line)
  setBusy(true)
  try {
    const before = present()
    if (await ensure(placesOf())) advanceTo(line, before)
  } finally {
    setBusy(false)
  }
}

function advanceTo(line, before = present()) {
  let end = cursor + 1
  while (end < tape.steps.length && !(tape.steps[end].warp === chosen && tape.steps[end].line === line && tape.steps[end - 1].line !== line)) end++
  if (end === tape.steps.length) {
    tape = before.tape
    show()
    return say(`Warp ${chosen} has no further step at line ${line}. A step begins at each access to memory, at each barrier and at most new lines.`)
  }
  moveTo(end, before)
  show()
  say(`Warp ${chosen} is before line ${line}.`)
}

function back() {
  if (busy || !tape) return
  const before = moves.pop()
  if (!before) return say('This is the beginning.')
  ;({ tape, cursor, chosen, last } = before)
  for (const [number, part] of before.parts.entries()) if (part && (part.top !== tables[number].top || part.left !== tables[number].left)) tables[number] = part
  show()
  say(cursor ? 'One move back.' : 'Back at the beginning.')
}

function choose(warp) {
  if (!tape || warp < 0 || warp >= warpCount()) return
  chosen = warp
  show()
  if ($('warp-list').contains(document.activeElement)) $('warp-list').children[warp].querySelector('input').focus()
  say(`Warp ${warp} is chosen. ${$('next').textContent}`)
}

async function restart() {
  if (busy) return
  setBusy(true)
  const first = await fetchTape('')
  setBusy(false)
  if (!first) return
  tape = first
  moves = []
  tables = []
  cursor = 0
  last = { from: 0, to: 0 }
  chosen = 0
  const [x, y, z] = tape.shown.index
  $('size').textContent = `block (${x},${y},${z}) of ${tape.shown.grid.join(' × ')}: ${plural(tape.threads, 'thread')}, ${plural(warpCount(), 'warp')}`
  $('block').max = String(tape.shown.grid.reduce((all, length) => all * length, 1) - 1)
  $('arrays').replaceChildren()
  if (!tape.steps.length) return say('This block did nothing that can be shown.')
  show()
  say(`The beginning: all warps are before their first line.${tape.shown.cut ? ' The run is too long: its end is not shown. Choose a smaller size.' : ''}`)
}

// ---- the race search ---------------------------------------------------------------------------
async function look() {
  if ($('look').getAttribute('aria-disabled') === 'true') return
  $('look').setAttribute('aria-disabled', 'true')
  $('looked').textContent = 'Looking: that takes up to ten seconds.'
  try {
    const answer = await fetch('race')
    if (!answer.ok) throw new Error()
    await answer.text()
    $('panels').replaceChildren(element('p', {}, element('a', { href: 'race', target: '_blank', rel: 'noopener' }, 'the panels in a window of their own')), element('iframe', { src: 'race', title: 'panels of the wrong order' }))
    $('looked').textContent = 'The answer is below.'
  } catch {
    $('looked').textContent = 'The program that serves this page does not answer. Was it ended?'
  }
  $('look').setAttribute('aria-disabled', 'false')
}

// ---- the timeline ------------------------------------------------------------------------------
async function drawTime() {
  $('drawn').textContent = 'The program runs once more.'
  $('timeline').replaceChildren()
  try {
    const answer = await fetch(`time?launch=${$('launch').value}`)
    const text = await answer.text()
    if (!answer.ok || text.startsWith('{')) return ($('drawn').textContent = plain(answer.ok ? JSON.parse(text).refused : text))
    const svg = new DOMParser().parseFromString(text, 'image/svg+xml').documentElement
    const box = element('div', { className: 'scroll', tabIndex: 0, role: 'group', 'aria-label': 'timeline, wide: scroll sideways' })
    box.append(document.adoptNode(svg))
    $('timeline').replaceChildren(box)
    $('drawn').textContent = 'Predicted, not measured.'
  } catch {
    $('drawn').textContent = 'The program that serves this page does not answer. Was it ended?'
  }
}

// ---- keys --------------------------------------------------------------------------------------
// The arrow keys move from word to word in a table, and from line to line among the line numbers.
function keyInTable(cell, key) {
  const row = cell.parentElement, column = [...row.children].indexOf(cell)
  const to = { ArrowLeft: cell.previousElementSibling, ArrowRight: cell.nextElementSibling, ArrowUp: row.previousElementSibling?.children[column], ArrowDown: row.nextElementSibling?.children[column] }[key]
  if (key === 'Escape') $('line').focus()
  if (to?.matches('td')) {
    cell.tabIndex = -1
    to.tabIndex = 0
    to.focus()
  }
  return key === 'Escape' || key.startsWith('Arrow')
}

function keyInLines(button, key) {
  const row = button.closest('li')
  const to = { ArrowUp: row.previousElementSibling, ArrowDown: row.nextElementSibling }[key]
  if (to) focusableLine([...$('code').children].indexOf(to) + 1).focus()
  if (key === 'Escape') $('line').focus()
  return key === 'Escape' || key === 'ArrowUp' || key === 'ArrowDown'
}

function chooseLine() {
  focusableLine(placesOf()[chosen].line || 1)?.focus()
  say(`Choose a line of the source with ↑ and ↓: Enter runs warp ${chosen} to it.`)
}

const doors = {
  ArrowRight: () => move(endOfLine),
  n: () => move(endOfLine),
  a: () => move(endOfAccess),
  b: allToBarrier,
  ArrowLeft: back,
  ArrowUp: () => choose(chosen - 1),
  ArrowDown: () => choose(chosen + 1),
  r: chooseLine,
  Home: restart,
}

document.addEventListener('keydown', (event) => {
  const at = event.target
  if (event.ctrlKey || event.altKey || event.metaKey || !tape || at.matches('select, input:not([type=radio])')) return
  const cell = at.closest('tbody td'), line = at.closest('#code button')
  let taken = (cell && keyInTable(cell, event.key)) || (line && keyInLines(line, event.key))
  if (!taken && doors[event.key]) {
    doors[event.key]()
    taken = true
  } else if (!taken && /^\d$/.test(event.key)) {
    choose(Number(event.key))
    taken = true
  }
  if (taken) event.preventDefault()
})

// ---- the start of the page ---------------------------------------------------------------------
const didThere = (line, wrote) => `line ${line} ${wrote ? 'stores' : 'reads'} it`
const raceText = (race) =>
  `The device reports a ${plain(race.sentence)}: ${didThere(race.line, race.wrote)}, ${didThere(race.other, race.otherWrote)}, and no barrier says which comes first. ` +
  'Find an order of the warps in which a number comes out wrong.'

function showReports() {
  const kernel = $('launch').selectedOptions[0]?.dataset.kernel
  $('reports').replaceChildren(
    ...start.races.filter((race) => race.kernel === kernel).map((race) => element('p', { className: 'note' }, raceText(race))),
    ...(start.mistake ? [element('p', { className: 'note' }, `The device reports: ${plain(start.mistake)}.`)] : []),
  )
}

async function begin() {
  const answer = await fetch('start')
  start = await answer.json()
  document.title = plain(start.title)
  $('title').textContent = plain(start.title)
  $('about').replaceChildren('emulated device', ...(start.command ? [' · made anew by ', element('code', {}, plain(start.command))] : []))
  $('launch').append(...start.launches.map((launch) => {
    const option = element('option', { value: String(launch.number), selected: launch.number === start.launch }, `${plain(launch.kernel)} (launch ${launch.number})`)
    option.dataset.kernel = launch.kernel
    return option
  }))
  $('block').value = String(start.block)
  $('code').append(...start.lines.map((text, i) => element('li', {}, element('button', { type: 'button', tabIndex: -1, 'aria-label': `run to line ${i + 1}` }, String(i + 1)), element('code', {}, plain(text) || ' '), element('span', { className: 'marks' }))))
  $('back').onclick = back
  $('line').onclick = () => move(endOfLine)
  $('access').onclick = () => move(endOfAccess)
  $('barrier').onclick = allToBarrier
  $('run').onclick = doors.r
  $('restart').onclick = restart
  $('look').onclick = look
  $('draw').onclick = drawTime
  $('choice').onsubmit = (event) => event.preventDefault()
  $('choice').onchange = () => {
    showReports()
    $('timeline').replaceChildren()
    $('drawn').textContent = ''
    restart()
  }
  $('warp-list').onchange = (event) => choose(Number(event.target.value))
  $('code').onclick = (event) => {
    const button = event.target.closest('button')
    if (button) runTo(Number(button.textContent))
  }
  for (const kind of ['mouseover', 'focusin'])
    $('arrays').addEventListener(kind, (event) => {
      const cell = event.target.closest('td[data-at]')
      if (cell && tape) tellWord(cell.dataset.at)
    })
  showReports()
  await restart()
}

begin().catch(() => say('The program that serves this page does not answer. Was it ended?'))
