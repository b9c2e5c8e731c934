#!/bin/sh
# Draws the charts: slides/figures/NAME.svg is drawn from NAME.gp and the data that it reads. The
# last line of NAME.svg has the checksum of these files. --check compares the checksum, because
# different versions of gnuplot give different drawings.
#
#   charts.sh           draws the charts that are out of date
#   charts.sh --check   prints the charts that are out of date, and draws nothing

[ -d slides/figures ] || exit 2
status=0

draw() { # NAME SUM
  {
    echo "set terminal svg size 1160,540 font 'sans-serif,26' background '#ffffff'"
    echo "set output '$1.svg.new'"
    echo "load 'slides/figures/style.gp'"
    echo "load '$1.gp'"
  } | gnuplot >"$1.log" 2>&1 && ! [ -s "$1.log" ] && [ -s "$1.svg.new" ] || {
    cat "$1.log" >&2
    echo "charts: $1.gp: gnuplot cannot draw it (\`make setup\` installs gnuplot)" >&2
    rm -f "$1.log" "$1.svg.new"
    exit 2
  }
  title=$(sed -n '1s/^# //p' "$1.gp")
  sed "s|<title>Gnuplot</title>|<title>$title</title>|; /<desc>/d; s|[ 	]*$||" "$1.svg.new" >"$1.svg" &&
    echo "<!-- made of $2 -->" >>"$1.svg" && rm -f "$1.log" "$1.svg.new" && echo "charts: $1.svg"
}

for script in slides/figures/*.gp; do
  name=${script%.gp}
  data=$(sed -n 's/^# data: //p' "$script")
  [ -n "$data" ] || continue # skips style.gp, which all charts load
  sum=$(cat slides/figures/style.gp "$script" $data | cksum)
  if [ "$(tail -n 1 "$name.svg" 2>/dev/null)" = "<!-- made of $sum -->" ]; then
    continue
  elif [ "$1" = --check ]; then
    echo "$name.svg is not drawn from $script and its data as they are now: \`make figures\` draws it again"
    status=1
  else
    draw "$name" "$sum"
  fi
done
exit $status
