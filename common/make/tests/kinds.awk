# Tests that each kind of report is expected by a program in tests/mistakes, with the file and line
# of the cause. Reads report_kinds.def first, then these programs.
/^REPORT\(/ { split($0, quoted, "\""); shown[quoted[2]] += 0 }
sub(/^\/\/ kind: /, "") { kinds = $0; split(kinds, here); for (i in here) shown[here[i]]++ }
/^\/\/ says:       .*@[a-z_]+$/ { split(kinds, here); for (i in here) placed[here[i]]++ }
END {
  for (kind in shown) count++
  for (kind in shown) if (!shown[kind]) { print "no program in tests/mistakes has a report of kind " kind; bad = 1 }
  for (kind in shown) if (shown[kind] && !placed[kind]) { print "a report of kind " kind " has no line"; bad = 1 }
  exit bad || !count
}
