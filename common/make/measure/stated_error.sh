#!/bin/sh
# Computes the errors that are shown with predicted times, from kernels that were predicted before
# they were measured. `make stated-error` writes these errors to emulator/prediction_error.def.
#
#   stated_error.sh FOLDER                prints the table of all such records in FOLDER
#   stated_error.sh --check FOLDER FILE   exit status 1 if FILE differs from that table
#
# A record is a .csv file with the columns row, kernel, limit, h200, h100, measured, unknown. It
# contains the predictions in microseconds, which were committed first, and the time on an H200,
# which was measured later. To add kernels, add a file. Kernels whose time is unknown to the model
# are left out.

check=0
[ "$1" != --check ] || { check=1; shift; }
folder=$1 table=$2
records=$(grep -l '^row,kernel,limit,h200,h100,measured' "$folder"/*.csv) ||
  { echo "stated_error: no record of predictions in $folder" >&2; exit 2; }

print_table() {
  cat <<'END'
/* The errors of predicted times, by the limit of the kernel. `make stated-error` writes this file
 * from the kernels that were predicted before they were measured (tests/timing).
 *
 *   STATED_ERROR(limit, kernels, half, most)
 *
 * Half of the kernels were within `half` percent of the measured time, nine tenths within `most`
 * percent. The first row is for all limits together, and for each limit that has no row of its own
 * because fewer than 8 of the kernels had it. */
END
  # shellcheck disable=SC2086
  awk '
    /^"/ {
      split($0, part, "\""); split(part[3], field, ",")
      if (part[4] != "" || field[6] <= 0) next
      error = field[4] / field[6] - 1
      add("", error < 0 ? -error : error)
      add(field[3], error < 0 ? -error : error)
    }
    function add(limit, error,  k) { # keeps the errors of each limit in ascending order
      if (!(limit in count)) name[++names] = limit
      for (k = ++count[limit]; k > 1 && list[limit, k - 1] > error; k--) list[limit, k] = list[limit, k - 1]
      list[limit, k] = error
    }
    END {
      for (i = 1; i <= names; i++) for (k = i + 1; k <= names; k++)
        if (name[k] < name[i]) { swap = name[i]; name[i] = name[k]; name[k] = swap }
      for (i = 1; i <= names; i++) {
        limit = name[i]; n = count[limit]
        if (limit != "" && n < 8) continue
        half = (list[limit, int((n + 1) / 2)] + list[limit, int(n / 2) + 1]) / 2
        printf "STATED_ERROR(\"%s\", %d, %.0f, %.0f)\n", limit, n, 100 * half, 100 * list[limit, int(0.9 * n + 0.999)]
      }
    }' $records
  echo '#undef STATED_ERROR'
}

if [ $check = 0 ]; then
  print_table
else
  print_table | diff "$table" - >&2 ||
    { echo 'the stated errors are not those of the recorded predictions: make stated-error' >&2; exit 1; }
fi
