# Has every kind of report a program that shows it? reports.def first, then the programs of tests/mistakes.
/^REPORT\(/ { split($0, quoted, "\""); shown[quoted[2]] += 0 }
sub(/^\/\/ kind: /, "") { for (i = 1; i <= NF; i++) shown[$i]++ }
END {
  for (kind in shown) kinds++
  for (kind in shown) if (!shown[kind]) { print "no program in tests/mistakes has a report of kind " kind; bad = 1 }
  exit bad || !kinds
}
