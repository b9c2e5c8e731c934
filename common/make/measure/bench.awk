# Reads the CSV files of the lab programs, prints a table for each lab, and appends all rows to one
# CSV file (-v csv=FILE). The first files on the command line are the recorded counters of the
# emulated device and the tables of the lectures that the labs are based on ("seeds"). The
# name of a file determines its kind.
BEGIN { FS = "," }

function f(name) { return name in column ? $column[name] : "" }
function cell(format, value) { return value == "" ? "" : sprintf(format, value) }

# ---- the kind of the file -------------------------------------------------------------------------
FNR == 1 {
  split("", column)
  name = FILENAME
  sub(/.*\//, "", name)
  kind = name ~ /^counters-/ ? "counters" : name ~ /^predicted-/ ? "predicted" : name ~ /^seeds-/ ? substr(name, 7, index(name, ".") - 7) : "unit"
  if (kind == "unit" || kind == "predicted") { # such as unit-04-ilp.double--size2048.csv
    lab = substr(name, index(name, "-") + 1, 2)
    precision = name ~ /\.double/ ? "double" : "float"
  }
}
/^#/ { next }
!(1 in column) { for (i = 1; i <= NF; i++) column[$i] = i; column[1] = 1; next }

# ---- counters of each lab and variant: ratios, which do not depend on the size --------------------------
kind == "counters" {
  if (f("banks") == 4) {
    key = f("lab") SUBSEP f("precision") SUBSEP f("variant")
    sectors[key] = f("sectors/load"); waves[key] = f("waves/load"); conflicts[key] = f("conflicts")
    shared[key] = f("shared/fma")
  }
  next
}

# ---- the tables of the lectures: milliseconds by lab, precision, variant and size --------------------------------
kind == "ladder" {
  if (f("mode") == 4) {
    seed["03", f("precision"), f("variant"), f("n")] = seed["04", f("precision"), f("variant"), f("n")] = f("ms")
    if (f("variant") == "global") {
      seed["01", f("precision"), "kernel", f("n")] = seed["02", f("precision"), "naive", f("n")] = f("ms")
    }
    card["03"] = card["04"] = card["01"] = card["02"] = "K40c"
  }
  next
}
kind == "nbody" {
  seed["06", "float", "global", f("n")] = f("global"); seed["06", "float", "shared", f("n")] = f("shared")
  card["06"] = "K40c"
  next
}
kind == "product" { article["02", "float", f("variant"), f("n")] = f("s") * 1000; next }

# ---- predicted and measured times ---------------------------------------------------
function size_of() {
  if (f("m") != "" && (f("m") != f("n") || f("k") != f("n"))) return f("m") "x" f("k") "x" f("n")
  return f("n") != "" ? f("n") : f("cols")
}
kind == "predicted" { # a prediction fails if blocks wait for blocks that are not run
  if (f("result") != "failed") model[lab, precision, f("variant"), size_of()] = f("predicted ms")
  if (f("limit") ~ /\?$/) mark[lab, precision, f("variant"), size_of()] = "?"
  next
}
kind == "unit" {
  r = ++rows
  size = size_of()
  labs[r] = lab; precisions[r] = precision; variants[r] = f("variant"); sizes[r] = size
  ms[r] = f("time ms"); low[r] = f("first quartile"); high[r] = f("third quartile"); repeats[r] = f("repeats")
  roof[r] = f("% of roof"); result[r] = f("result")
  bytes = precision == "float" ? 4 : 8
  if (ms[r] > 0) {
    if (lab == "05") gigabytes[r] = bytes * (f("rows") * f("cols") + f("rows") + f("cols")) / ms[r] / 1e6
    else if (lab == "06") interactions[r] = f("n") * f("n") * f("steps") / ms[r] / 1e6
    else gigaflops[r] = 2 * f("m") * f("k") * f("n") / ms[r] / 1e6
  }
  if (variants[r] == "cublas") library[lab, precision, size] = ms[r]
}

# ---- tables --------------------------------------------------------------------------------------
function spread(r) { return ms[r] > 0 && repeats[r] >= 5 ? 100 * (high[r] - low[r]) / ms[r] : "" }
function against(r, key) {
  key = labs[r] SUBSEP precisions[r] SUBSEP sizes[r]
  return ms[r] > 0 && library[key] > 0 ? library[key] / ms[r] : ""
}

# add stores a row of a table. print_table prints these rows, with the first column aligned left and
# the others right.
function add(table, text) { lines[table, ++count[table]] = text }
function print_table(table, i, j, n, cells, width, used, line) {
  for (i = 1; i <= count[table]; i++) {
    n = split(lines[table, i], cells, "\t")
    for (j = 1; j <= n; j++) {
      if (length(cells[j]) > width[j]) width[j] = length(cells[j])
      if (i > 1 && cells[j] != "") used[j] = 1
    }
  }
  for (i = 1; i <= count[table]; i++) {
    n = split(lines[table, i], cells, "\t")
    line = ""
    for (j = 1; j <= n; j++) if (used[j]) line = line sprintf(j == 1 ? "%-" width[j] "s" : "  %" width[j] "s", cells[j])
    sub(/ *$/, "", line)
    print line
  }
}

function heading(lab) {
  return "variant\tprecision\tn\tresult\tms\tpredicted ms\tspread %\tGFLOP/s\tGB/s\tG interactions/s\tof cublas\t% of roof" \
    "\tsectors/load\twaves/load\tconflicts\tshared/fma\t" (lab in card ? card[lab] : "seeds") " ms\tGTX 460M ms"
}

END {
  print "lab,precision,variant,n,result,ms,first quartile,third quartile,repeats,GFLOP/s,GB/s,G interactions/s,of cublas,% of roof,predicted ms,not known" >>csv
  for (r = 1; r <= rows; r++) {
    if (!((labs[r]) in begun)) { order[++tables] = labs[r]; begun[labs[r]] = 1; add(labs[r], heading(labs[r])) }
    key = labs[r] SUBSEP precisions[r] SUBSEP variants[r]
    add(labs[r], variants[r] "\t" precisions[r] "\t" sizes[r] "\t" result[r] "\t" cell("%.4g", ms[r]) "\t" \
      cell("%.4g" (mark[key, sizes[r]] ? " ?" : ""), model[key, sizes[r]]) "\t" cell("%.1f", spread(r)) "\t" cell("%.0f", gigaflops[r]) "\t" cell("%.0f", gigabytes[r]) "\t" \
      cell("%.0f", interactions[r]) "\t" cell("%.2f", against(r)) "\t" cell("%.1f", roof[r]) "\t" \
      cell("%.3g", sectors[key]) "\t" cell("%.3g", waves[key]) "\t" cell("%.3g", conflicts[key]) "\t" \
      cell("%.3g", shared[key]) "\t" seed[key, sizes[r]] "\t" article[key, sizes[r]])
    print labs[r] "," precisions[r] "," variants[r] "," sizes[r] "," result[r] "," ms[r] "," low[r] "," high[r] "," \
      repeats[r] "," cell("%.5g", gigaflops[r]) "," cell("%.5g", gigabytes[r]) "," cell("%.5g", interactions[r]) "," \
      cell("%.3f", against(r)) "," cell("%.1f", roof[r]) "," model[key, sizes[r]] "," mark[key, sizes[r]] >>csv
    modelled += model[key, sizes[r]] > 0
  }
  for (t = 1; t <= tables; t++) {
    printf "\nlab %s, medians on this GPU\n", order[t]
    print_table(order[t])
  }
  if (modelled) print "\npredicted ms: by the model of time, " error "." (ENVIRON["MARKS"] == "" ? "" : "\n" ENVIRON["MARKS"])
  print "\nspread %: how far the quartiles lie apart. % of roof: of what the copy or the multiply-adds of the same run allow."
  print "sectors/load to shared/fma: the emulated device's counters, as recorded at a smaller size. K40c, GTX 460M: the seeds'"
  print "tables; of an RTX 3060 the article on matrix-vector products has no numbers."
}
