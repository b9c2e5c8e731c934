// Reads the server's answer, whose format is described in common/step/show.c: steps, accesses and values. Finds names for the
// words of arrays. page.js shows the result.
'use strict'

const LANES = 32
const READS = 0, WRITES = 1
const BITS = 0, SIGNED = 1, FLOATING = 3

const lanesOf = (mask) => [...Array(LANES).keys()].filter((lane) => (mask >>> lane) & 1)

// Makes characters that change the text direction visible, because they could show a program that differs from the
// compiled program.
const plain = (text) => text.replace(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, (c) => `<U+${c.charCodeAt(0).toString(16).toUpperCase()}>`)

// ---- the tape ----------------------------------------------------------------------------------
const sameFile = (a, b) => a === b || a.endsWith(`/${b}`) || b.endsWith(`/${a}`)

// Converts events to steps. A step in another file gets the line of the shown source that the warp executed before.
function readSteps(shown) {
  const steps = []
  const own = shown.files.map((file) => sameFile(file, start.file))
  const lineOf = []
  for (const event of shown.events) {
    const step = steps.at(-1)
    if (event[0] === 's') {
      const [, warp, lanes, line, file] = event
      lineOf[warp] = own[file] && line ? line : lineOf[warp] ?? 0
      steps.push({ warp, lanes, line: lineOf[warp] })
    } else if (event[0] === 'a' && step) {
      const [, operation, lanes, array, where, size, type, count, bytes] = event
      step.access = { operation, lanes, array, where, size, type, count, bytes }
    } else if (event[0] === 'm' && step) step.meets = true
    else if (event[0] === 'b' && step) step.barrier = true
  }
  return steps
}

// Yields each lane's elements as [lane, offset in the array, bytes as hexadecimal digits].
function* elementsOf(access) {
  const [first, distance] = access.where
  const digits = 2 * access.size
  let at = 0
  for (const [rank, lane] of lanesOf(access.lanes).entries()) {
    const offset = distance === undefined ? first[rank] : first + distance * rank
    for (let i = 0; i < access.count; i++, at += digits) yield [lane, offset + i * access.size, access.bytes.slice(at, at + digits)]
  }
}

// ---- values ------------------------------------------------------------------------------------
function numberOf(hex, type) {
  const view = new DataView(Uint8Array.from(hex.match(/../g), (pair) => parseInt(pair, 16)).buffer)
  const size = view.byteLength
  const bits = () => (size === 8 ? view.getBigUint64(0, true) : size === 4 ? view.getUint32(0, true) : size === 2 ? view.getUint16(0, true) : view.getUint8(0))
  if (type === FLOATING && size === 8) return view.getFloat64(0, true)
  if (type === FLOATING && size === 4) return view.getFloat32(0, true)
  if (type === SIGNED) return size === 8 ? view.getBigInt64(0, true) : size === 4 ? view.getInt32(0, true) : size === 2 ? view.getInt16(0, true) : view.getInt8(0)
  return bits()
}

function valueText(hex, type, digits = 4) {
  const value = numberOf(hex, type)
  if (typeof value === 'bigint' || Number.isInteger(value)) return Math.abs(Number(value)) < 1e7 ? String(value) : Number(value).toExponential(2)
  return Number.isFinite(value) ? String(Number(value.toPrecision(digits))) : String(value)
}

// ---- names of words ----------------------------------------------------------------------------
// Returns the value of an expression of integers and names that the source defines; undefined for other expressions.
function evaluate(text, depth = 0) {
  const tokens = text.match(/\d+|[A-Za-z_]\w*|[-+*/()]|\S/g) ?? []
  let at = 0
  const factor = () => {
    const token = tokens[at++]
    if (token === '(') {
      const inner = sum()
      return tokens[at++] === ')' ? inner : undefined
    }
    if (/^\d+$/.test(token)) return Number(token)
    return /^[A-Za-z_]/.test(token ?? '') && depth < 8 ? defined(token, depth + 1) : undefined
  }
  const chain = (operators, next) => {
    let value = next()
    while (operators.includes(tokens[at])) {
      const operator = tokens[at++], other = next()
      value = operator === '+' ? value + other : operator === '-' ? value - other : operator === '*' ? value * other : Math.trunc(value / other)
    }
    return value
  }
  const product = () => chain(['*', '/'], factor)
  const sum = () => chain(['+', '-'], product)
  const value = sum()
  return at === tokens.length && Number.isFinite(value) ? value : undefined
}

function defined(name, depth) {
  for (const line of start.lines) {
    const found = line.match(new RegExp(`^\\s*#\\s*define\\s+${name}\\s+(.+)$|\\b(?:const|constexpr)\\b[^=;]*\\b${name}\\s*=\\s*([^;]+);`))
    if (found) return evaluate((found[1] ?? found[2]).replace(/\/\/.*|\/\*.*?\*\//g, ''), depth)
  }
}

// Returns the dimensions of an array. The dimensions of a shared array are read from its declaration, and must agree with
// its size in bytes.
function dimensionsOf(array, size) {
  if (array.space === 'global') return array.rows > 1 && array.columns > 1 && array.element === size && array.rows * array.columns * size === array.bytes ? [array.rows, array.columns] : [array.bytes / size]
  const name = array.name.split('::').at(-1)
  for (const line of start.lines) {
    if (!/__shared__/.test(line)) continue
    const found = line.match(new RegExp(`\\b${name.replace(/\W/g, '')}((?:\\[[^\\]]*\\])+)`))
    if (found?.[1] === '[]') return [array.bytes / size]
    const lengths = found ? [...found[1].matchAll(/\[([^\]]*)\]/g)].map((one) => evaluate(one[1])) : []
    if (lengths.length && lengths.every((length) => length > 0) && lengths.reduce((all, length) => all * length, size) === array.bytes) return lengths
  }
  return array.bytes % size ? [] : undefined
}

// Returns the names of a kernel's parameters in the source; an empty list if the kernel is not found.
function parametersOf(kernel) {
  const name = kernel.replace(/<.*/, '').split('::').at(-1).replace(/\W/g, '')
  const found = start.lines.join('\n').match(new RegExp(`__global__[^;{}()]*(?:__launch_bounds__\\([^)]*\\)[^;{}()]*)?\\b${name}\\s*\\(([^(){};]*)\\)`))
  return found ? found[1].replace(/<[^<>]*>/g, '').split(',').map((one) => one.match(/(\w+)\s*(?:\[[^\]]*\]\s*)*$/)?.[1]) : []
}

const shortName = (array) => plain(array.name.split('::').at(-1))

// Returns the name of a word: Bs[3][5], or "Bs, word 101" if the dimensions are unknown.
function nameOf(shape, index) {
  if (!shape.dimensions?.length) return `${shortName(shape.array)}, word ${index}`
  let rest = index
  const at = []
  for (const length of shape.dimensions.slice(1).reverse()) {
    at.unshift(rest % length)
    rest = Math.floor(rest / length)
  }
  return `${shortName(shape.array)}[${[rest, ...at].join('][')}]`
}

// Finds for each array: the size and the type of its words, which words the run accesses, and their values at the beginning.
function shapesOf(steps, arrays) {
  const shapes = arrays.map((array) => ({ array, size: 0, type: BITS, stored: false, touched: new Set(), first: new Map() }))
  for (const { access } of steps) {
    const shape = access && shapes[access.array]
    if (!shape) continue
    shape.stored ||= access.operation !== READS
    shape.size = shape.size ? Math.min(shape.size, access.size) : access.size
    if (access.type !== BITS && (shape.type === BITS || access.type === FLOATING)) shape.type = access.type
  }
  for (const { access } of steps) {
    const shape = access && shapes[access.array]
    if (!shape) continue
    for (const [, index, hex] of wordsOf(access, shape)) {
      if (!shape.touched.has(index) && access.operation === READS && shape.array.space === 'global') shape.first.set(index, hex)
      shape.touched.add(index)
    }
  }
  for (const shape of shapes) if (shape.size) shape.dimensions = dimensionsOf(shape.array, shape.size)
  return shapes
}

// Splits an access into words of the array, [lane, index, bytes]. An element may have several words.
function* wordsOf(access, shape) {
  for (const [lane, offset, hex] of elementsOf(access))
    for (let i = 0; i < access.size; i += shape.size) {
      const index = (offset + i) / shape.size
      if (Number.isInteger(index) && index >= 0) yield [lane, index, hex.slice(2 * i, 2 * (i + shape.size))]
    }
}
